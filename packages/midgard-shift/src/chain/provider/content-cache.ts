import type { Clock } from '@horae/clock-store';

/** The most entries; beyond it the cache begins anew. */
const MAX_ENTRIES = 10_000;

/** How long something that was not found counts as missing. */
const MISSING_MS = 60_000;

/**
 * Caches content found under a hash, which never changes. Missing content is looked up again after a minute: anyone can send outputs with
 * unknown hashes to a contract, and looking all of them up at every read would take longer than a block.
 */
export function contentCache<Content>(
  clock: Clock,
  find: (hash: string) => Promise<Content | null>,
): (hash: string) => Promise<Content | null> {
  const known = new Map<string, { readonly content: Content | null; readonly until: number }>();
  return async (hash) => {
    const cached = known.get(hash);
    if (cached !== undefined && clock.monotonicMs() < cached.until) return cached.content;
    const content = await find(hash);
    if (known.size >= MAX_ENTRIES) known.clear();
    known.set(hash, { content, until: content === null ? clock.monotonicMs() + MISSING_MS : Infinity });
    return content;
  };
}
