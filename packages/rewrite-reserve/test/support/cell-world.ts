import type { Category, ResourceKey, World } from '../../src/index.js';
import { keyText } from './pairwise-oracle.js';

/** A world of numbers that notes what is done to it, in order. */
export function cellWorld() {
  const cells = new Map<string, number>();
  const log: string[] = [];
  const place = (category: Category, key: ResourceKey) => `${category} ${keyText(key)}`;
  const world: World = {
    read: (category, key) => cells.get(place(category, key)) ?? 0,
    write(category, key, value) {
      cells.set(place(category, key), value as number);
      log.push(`${place(category, key)} = ${String(value)}`);
    },
    add(category, key, delta) {
      cells.set(place(category, key), (cells.get(place(category, key)) ?? 0) + (delta as number));
      log.push(`${place(category, key)} + ${String(delta)}`);
    },
  };
  return { world, cells, log };
}
