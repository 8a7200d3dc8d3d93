import type { Id, NodeKey, PendingRewrite } from '../../src/index.js';

/** The built package: what users get, and free of what a loader of TypeScript adds to functions. */
const built = '../../dist/index.js';
export const api = (await import(built)) as typeof import('../../src/index.js');

export type Form = 'handles' | 'bytes' | 'texts';

/** Repeatable pseudo-random words; quality is of no matter here. */
export function words(seed: number): () => number {
  let state = seed >>> 0 || 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state >>> 0;
  };
}

export function randomBytes32(next: () => number): Uint8Array {
  const bytes = new Uint8Array(32);
  const view = new DataView(bytes.buffer);
  for (let at = 0; at < 32; at += 4) view.setUint32(at, next());
  return bytes;
}

/** Names of one form, all different. */
export function names(form: Form, count: number): Id[] {
  const next = words(count + 7);
  if (form === 'handles') return Array.from({ length: count }, (_, at) => at);
  if (form === 'texts')
    return Array.from({ length: count }, (_, at) => `node/${at.toString(36)}/${next().toString(36)}`);
  return Array.from({ length: count }, () => randomBytes32(next));
}

const WARP: Record<Form, Id> = { handles: 1, bytes: new Uint8Array(32).fill(1), texts: 'world' };

/** `n` rewrites of `m` different keys each, half read and half written, none in conflict; keys repeat only as reads. */
export function batch(form: Form, n: number, m: number, hash = randomBytes32): PendingRewrite[] {
  const ids = names(form, n * m);
  const warp = WARP[form];
  const next = words(n * 31 + m);
  return Array.from({ length: n }, (_, at) => {
    const keys: NodeKey[] = ids.slice(at * m, at * m + m).map((id) => ({ warp, id }));
    const footprint = api.footprint({ nWrite: keys.slice(m >> 1), nRead: keys.slice(0, m >> 1) });
    return { scopeHash: hash(next), compactRule: at, scope: { warp, id: 1 }, footprint, phase: 'matched' };
  });
}

/** A key as people write it for a `Set`. */
export function textOf({ warp, id }: NodeKey): string {
  const part = (value: Id) =>
    typeof value === 'object' ? Buffer.from(value).toString('hex') : `${typeof value}:${value}`;
  return `${part(warp)}/${part(id as Id)}`;
}

/** The same work with two sets of texts; the texts are made beforehand, as interning is for us. */
export function setOfTexts(rewrites: readonly PendingRewrite[]): () => number {
  const prepared = rewrites.map(({ footprint }) => ({
    reads: footprint.nRead.map(textOf),
    writes: footprint.nWrite.map(textOf),
  }));
  return () => {
    const read = new Set<string>();
    const written = new Set<string>();
    let accepted = 0;
    for (const { reads, writes } of prepared) {
      if (writes.some((key) => written.has(key) || read.has(key)) || reads.some((key) => written.has(key))) continue;
      for (const key of writes) written.add(key);
      for (const key of reads) read.add(key);
      accepted += 1;
    }
    return accepted;
  };
}

/** The same work with one sorted array of held texts per kind of use, searched by halving. */
export function sortedArrays(rewrites: readonly PendingRewrite[]): () => number {
  const prepared = rewrites.map(({ footprint }) => ({
    reads: footprint.nRead.map(textOf),
    writes: footprint.nWrite.map(textOf),
  }));
  const place = (list: string[], key: string) => {
    let low = 0;
    let high = list.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (list[middle]! < key) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  const has = (list: string[], key: string) => list[place(list, key)] === key;
  return () => {
    const read: string[] = [];
    const written: string[] = [];
    let accepted = 0;
    for (const { reads, writes } of prepared) {
      if (writes.some((key) => has(written, key) || has(read, key)) || reads.some((key) => has(written, key))) continue;
      for (const key of writes) written.splice(place(written, key), 0, key);
      for (const key of reads) if (!has(read, key)) read.splice(place(read, key), 0, key);
      accepted += 1;
    }
    return accepted;
  };
}
