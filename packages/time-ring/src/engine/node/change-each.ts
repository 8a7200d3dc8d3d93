import { uniqueWaves } from '../../schedule/unique-waves.js';

/**
 * Changes items of which several may have the same id, and returns for each whether it was changed. `change` is called with each id at most
 * once and returns the ids that were changed.
 */
export async function changeEach<T>(
  items: readonly T[],
  idOf: (item: T) => number,
  change: (items: readonly T[]) => Promise<ReadonlySet<number>>,
): Promise<(item: T) => boolean> {
  const waves = uniqueWaves(items, idOf);
  if (waves.length === 1) {
    const ids = await change(items);
    return (item) => ids.has(idOf(item));
  }
  const changed = new Set<T>();
  for (const wave of waves) {
    const ids = await change(wave);
    for (const item of wave) if (ids.has(idOf(item))) changed.add(item);
  }
  return (item) => changed.has(item);
}
