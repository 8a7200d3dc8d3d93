/** Wider ranges are sorted by comparison. */
const MAX_COUNTERS = 1 << 20;

/** The places of `keys` in ascending order of the keys; equal keys keep their order. Whole numbers only. */
export function stableOrder(keys: readonly number[]): Uint32Array {
  const order = new Uint32Array(keys.length);
  let least = Number.POSITIVE_INFINITY;
  let most = Number.NEGATIVE_INFINITY;
  for (const key of keys) {
    if (key < least) least = key;
    if (key > most) most = key;
  }
  if (most - least >= MAX_COUNTERS) {
    for (let i = 0; i < order.length; i++) order[i] = i;
    return order.sort((a, b) => keys[a]! - keys[b]! || a - b);
  }
  if (keys.length === 0) return order;
  const next = new Uint32Array(most - least + 2);
  for (const key of keys) next[key - least + 1]!++;
  for (let i = 1; i < next.length; i++) next[i]! += next[i - 1]!;
  for (let i = 0; i < keys.length; i++) order[next[keys[i]! - least]!++] = i;
  return order;
}
