import type { UseMode } from '../footprint/footprint-uses.js';
import type { Category, ResourceKey } from '../keys/resource-keys.js';
import { RewriteArgumentError } from '../keys/rewrite-errors.js';

/** The state that rewrites work on, as a store of values under keys. Implemented by the caller. */
export interface World {
  read(category: Category, key: ResourceKey): unknown;
  write(category: Category, key: ResourceKey, value: unknown): void;
  /** Changes a value by a delta. Deltas of one key must result in the same value in every order. Not for ports. */
  add?(category: Category, key: ResourceKey, delta: unknown): void;
}

/** The same world, with a call before every access. It has `add` if the world has it. */
export function watched(world: World, look: (mode: UseMode, category: Category, key: ResourceKey) => void): World {
  const plain: World = {
    read(category, key) {
      look('read', category, key);
      return world.read(category, key);
    },
    write(category, key, value) {
      look('write', category, key);
      world.write(category, key, value);
    },
  };
  if (world.add === undefined) return plain;
  return {
    ...plain,
    add(category, key, delta) {
      assertAddable(category);
      look('add', category, key);
      world.add!(category, key, delta);
    },
  };
}

/** Throws unless the value is one of the four categories. */
export function checkedCategory(category: Category): Category {
  if (category === 'node' || category === 'edge' || category === 'attachment' || category === 'port') return category;
  const text = `category must be 'node', 'edge', 'attachment' or 'port', got ${String(category)}`;
  throw new RewriteArgumentError(text, { field: 'category', value: category });
}

/** Throws for ports, which have no value to add to. */
export function assertAddable(category: Category): void {
  if (category !== 'port') return;
  throw new RewriteArgumentError('a port cannot be added to: read or write it', { field: 'category', value: category });
}
