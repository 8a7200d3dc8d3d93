import type { Blocker, Category, PathKey, PendingRewrite, ResourceKey } from '../../src/index.js';
import { hasPath, membersOf } from './path-universe.js';

// Knows nothing of the package's order, numbers or compiled forms: flat keys are compared as texts, keys with paths by what belongs to
// them, pair by pair.

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

/** What is equal for two keys whose paths are in one tree: warp, owner and plane. */
export function treeText(key: PathKey): string {
  const { owner, plane } = key as { owner?: string; plane?: string };
  return keyText({ warp: key.warp, id: `${owner} ${plane}` });
}

function meet({ key: a, text }: OracleUse, { key: b, text: otherText }: OracleUse): boolean {
  if (!hasPath(a) || !hasPath(b)) return text === otherText;
  if (treeText(a) !== treeText(b)) return false;
  const others = membersOf(b);
  return [...membersOf(a)].some((member) => others.has(member));
}

type Kind = 'write' | 'add' | 'read';

export const CHECK_ORDER = [
  ['nWrite', 'node', 'write'],
  ['nAdd', 'node', 'add'],
  ['nRead', 'node', 'read'],
  ['eWrite', 'edge', 'write'],
  ['eAdd', 'edge', 'add'],
  ['eRead', 'edge', 'read'],
  ['aWrite', 'attachment', 'write'],
  ['aAdd', 'attachment', 'add'],
  ['aRead', 'attachment', 'read'],
  ['bIn', 'port', 'write'],
  ['bOut', 'port', 'write'],
] as const;

export interface OracleUse {
  category: Category;
  key: ResourceKey;
  kind: Kind;
  text: string;
}

const known = new WeakMap<object, OracleUse[]>();

/** All uses in check order; a written key is nothing but written. */
export function oracleUses({ footprint }: PendingRewrite): OracleUse[] {
  const before = known.get(footprint);
  if (before !== undefined) return before;
  const written = new Set<string>();
  const uses: OracleUse[] = [];
  for (const [set, category, kind] of CHECK_ORDER) {
    for (const key of footprint[set] as readonly ResourceKey[]) {
      const text = `${category} ${keyText(key)}`;
      if (written.has(text)) continue;
      if (kind === 'write') written.add(text);
      uses.push({ category, key, kind, text });
    }
  }
  known.set(footprint, uses);
  return uses;
}

const DISLIKES: Record<Kind, readonly Kind[]> = {
  write: ['write', 'add', 'read'],
  add: ['write', 'read'],
  read: ['write', 'add'],
};

/** All blockers of a candidate, found by looking at every use of every holder. */
export function blockersByScan(held: readonly PendingRewrite[], candidate: PendingRewrite): Blocker[] {
  const holders = held.map((holder) => ({ holder, uses: oracleUses(holder) }));
  const found: Blocker[] = [];
  const reported = new Set<string>();
  for (const own of oracleUses(candidate)) {
    const { category, key, kind } = own;
    for (const [order, { holder, uses }] of holders.entries()) {
      const once = `${order} ${own.text}`;
      const kinds = uses.filter((use) => use.category === category && meet(use, own)).map((use) => use.kind);
      const against = DISLIKES[kind].find((disliked) => kinds.includes(disliked));
      if (against === undefined || reported.has(once)) continue;
      reported.add(once);
      const mode = category === 'port' ? 'port' : (`${kind}-${against}` as Blocker['mode']);
      found.push({ blockedBy: holder, category, key, mode });
    }
  }
  return found;
}

/** Whether two rewrites may not both be accepted. */
export function conflicts(a: PendingRewrite, b: PendingRewrite): boolean {
  return blockersByScan([a], b).length > 0;
}
