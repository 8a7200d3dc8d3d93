type After = readonly (readonly number[])[];

/** The steps in an order in which each comes after all that it waits for; or a cycle of steps, with the first repeated at the end. */
export function orderSteps(
  after: After,
):
  | { readonly kind: 'order'; readonly order: readonly number[] }
  | { readonly kind: 'cycle'; readonly steps: number[] } {
  const next: number[][] = after.map(() => []);
  const open = after.map(({ length }) => length);
  after.forEach((before, i) => {
    for (const each of before) next[each]!.push(i);
  });
  const order = open.flatMap((count, i) => (count === 0 ? [i] : []));
  for (const step of order) {
    for (const each of next[step]!) {
      open[each]! -= 1;
      if (open[each] === 0) order.push(each);
    }
  }
  return order.length === after.length ? { kind: 'order', order } : { kind: 'cycle', steps: findCycle(after, open) };
}

/** Every remaining step waits for a remaining one, so following these links backwards leads to a cycle. */
function findCycle(after: After, open: readonly number[]): number[] {
  const seen = new Map<number, number>();
  const path: number[] = [];
  let at = open.findIndex((count) => count > 0);
  while (!seen.has(at)) {
    seen.set(at, path.length);
    path.push(at);
    at = after[at]!.find((before) => open[before]! > 0)!;
  }
  return [...path.slice(seen.get(at)), at];
}

/** Determines whether one step precedes another, at any distance: one bit set per step. */
export function isBefore(after: After, order: readonly number[]): (step: number, later: number) => boolean {
  const words = Math.ceil(after.length / 32);
  const sets = after.map(() => new Uint32Array(0));
  for (const step of order) {
    const set = new Uint32Array(words);
    for (const before of after[step]!) {
      const theirs = sets[before]!;
      for (let i = 0; i < words; i++) set[i]! |= theirs[i]!;
      set[before >> 5]! |= 1 << (before & 31);
    }
    sets[step] = set;
  }
  return (step, later) => (sets[later]![step >> 5]! & (1 << (step & 31))) !== 0;
}
