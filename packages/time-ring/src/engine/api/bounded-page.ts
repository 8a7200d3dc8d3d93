import { paramsBytes } from './check-params.js';

interface Listed {
  readonly id: number;
  readonly params: unknown;
  readonly message?: string | null;
  readonly result?: unknown;
}

/** A page ends when this much has been read; the cursor continues it. */
const MAX_BYTES_PER_PAGE = 4_194_304;
/** How many items are read before their size is known. */
const FIRST_READ = 32;
/** The size of a row apart from its parameters and its message. */
const ROW_BYTES = 512;

/**
 * Reads a page of at most `limit` items and about 4 MiB, but always the first item. `read` returns up to `count` items after the id
 * `after`, or the first ones for null. The cursor is the last id of the page, or null when no item follows.
 */
export async function boundedPage<Item extends Listed>(
  limit: number,
  read: (after: number | null, count: number) => Promise<readonly Item[]>,
): Promise<{ items: readonly Item[]; cursor: string | null }> {
  const items: Item[] = [];
  let bytes = 0;
  for (let count = Math.min(FIRST_READ, limit + 1); ; count = nextCount(items.length, bytes, limit)) {
    const more = await read(items.at(-1)?.id ?? null, count);
    for (const item of more) {
      const size = sizeOf(item);
      const isFull = items.length >= limit || (items.length > 0 && bytes + size > MAX_BYTES_PER_PAGE);
      if (isFull) return { items, cursor: String(items.at(-1)!.id) };
      items.push(item);
      bytes += size;
    }
    if (more.length < count) return { items, cursor: null };
  }
}

/** As many as probably still fit, and one more to detect whether more follow. */
function nextCount(have: number, bytes: number, limit: number): number {
  const fitting = Math.floor((MAX_BYTES_PER_PAGE - bytes) / (bytes / have));
  return Math.max(1, Math.min(limit - have, fitting)) + 1;
}

function sizeOf({ params, message, result }: Listed): number {
  return ROW_BYTES + paramsBytes(params) + paramsBytes(result) + (message?.length ?? 0);
}
