import type { Blocker, Category, PendingRewrite, ResourceKey } from '../../src/index.js';

// Knows nothing of the package's order, numbers or compiled forms: keys are compared as texts, pair by pair.

/** A key as a text that is equal exactly for equal keys. */
export function keyText(key: ResourceKey): string {
  return JSON.stringify(
    Object.entries(key).sort(([a], [b]) => (a < b ? -1 : 1)),
    (_, value: unknown) => {
      if (value instanceof Uint8Array) return `bytes ${Array.from(value).join(' ')}`;
      if (typeof value === 'bigint') return `port ${value}`;
      return typeof value === 'string' ? `text ${value}` : value;
    },
  );
}

const CHECK_ORDER = [
  ['nWrite', 'node', 'write'],
  ['nRead', 'node', 'read'],
  ['eWrite', 'edge', 'write'],
  ['eRead', 'edge', 'read'],
  ['aWrite', 'attachment', 'write'],
  ['aRead', 'attachment', 'read'],
  ['bIn', 'port', 'port'],
  ['bOut', 'port', 'port'],
] as const;

interface TextUse {
  category: Category;
  key: ResourceKey;
  text: string;
  kind: 'write' | 'read' | 'port';
}

function usesOf(rewrite: PendingRewrite): Map<string, TextUse> {
  const uses = new Map<string, TextUse>();
  for (const [set, category, kind] of CHECK_ORDER) {
    for (const key of rewrite.footprint[set] as readonly ResourceKey[]) {
      const text = `${category} ${keyText(key)}`;
      if (!uses.has(text)) uses.set(text, { category, key, text, kind });
    }
  }
  return uses;
}

/** All blockers of a candidate, found by looking at every use of every holder. */
export function blockersByScan(held: readonly PendingRewrite[], candidate: PendingRewrite): Blocker[] {
  const holders = held.map((holder) => ({ holder, uses: usesOf(holder) }));
  const found: Blocker[] = [];
  for (const use of usesOf(candidate).values()) {
    for (const { holder, uses } of holders) {
      const other = uses.get(use.text);
      if (other === undefined || (use.kind === 'read' && other.kind === 'read')) continue;
      const mode = use.kind === 'port' ? 'port' : (`${use.kind}-${other.kind}` as Blocker['mode']);
      found.push({ blockedBy: holder, category: use.category, key: use.key, mode });
    }
  }
  return found;
}

/** Whether two rewrites may not both be accepted. */
export function conflicts(a: PendingRewrite, b: PendingRewrite): boolean {
  return blockersByScan([a], b).length > 0;
}
