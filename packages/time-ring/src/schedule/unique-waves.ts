/**
 * Splits items into groups in which each id occurs once, in the order given. A batch may contain the same run twice: ended by its handler
 * and by a user, or lost and taken again meanwhile; the store's answer for an id must then refer to one of them.
 */
export function uniqueWaves<T>(items: readonly T[], idOf: (item: T) => number): readonly (readonly T[])[] {
  // Most batches come in the order in which their runs were written.
  if (isAscending(items, idOf)) return items.length === 0 ? [] : [items];
  const seen = new Map<number, number>();
  const waves: T[][] = [];
  for (const item of items) {
    const id = idOf(item);
    const wave = seen.get(id) ?? 0;
    seen.set(id, wave + 1);
    if (wave === waves.length) waves.push([]);
    waves[wave]!.push(item);
  }
  return waves;
}

function isAscending<T>(items: readonly T[], idOf: (item: T) => number): boolean {
  for (let i = 1; i < items.length; i++) if (idOf(items[i - 1]!) >= idOf(items[i]!)) return false;
  return true;
}
