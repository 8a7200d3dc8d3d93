import { canonicalFootprint, footprint } from './footprint.js';
import type { Footprint } from './footprint-sets.js';
import { readsAndWrites } from './footprint-uses.js';
import { KeyReader } from './key-forms.js';
import { comparisonOf, indexOfKey } from './key-order.js';
import type { PendingRewrite } from './pending-rewrite.js';
import type { AttachmentKey, Category, EdgeKey, NodeKey, PortKey, ResourceKey } from './resource-keys.js';
import { FootprintViolationError, RewriteArgumentError } from './rewrite-errors.js';

/** What rewrites work on, seen as a store of values under keys. Implemented by the caller. */
export interface World {
  read(category: Category, key: ResourceKey): unknown;
  write(category: Category, key: ResourceKey, value: unknown): void;
}

/**
 * The world as the rewrite may see it: what its footprint declares passes through, anything else throws a
 * `FootprintViolationError` before the world is touched. A declared write allows reading too; any use of a port needs it in
 * `bIn` or `bOut`. For development: it costs a search per access, and it cannot see effects that go around it.
 */
export function guardFootprint(rewrite: PendingRewrite, world: World): World {
  const declared = canonicalFootprint(rewrite.footprint);
  const reader = new KeyReader();

  function check(use: 'read' | 'write', category: Category, key: ResourceKey): void {
    const own = reader.read(checkedCategory(category), key, 'key');
    if (isDeclared(declared, use, category, own)) return;
    const text = `The rewrite would ${use} the ${category} ${describe(own)}, which its footprint does not declare`;
    throw new FootprintViolationError(`undeclared-${use}`, text, category, own);
  }

  return {
    read(category, key) {
      check('read', category, key);
      return world.read(category, key);
    },
    write(category, key, value) {
      check('write', category, key);
      world.write(category, key, value);
    },
  };
}

/**
 * The footprint of what `run` touches, exactly: a port it reads goes to `bIn`, a port it writes to `bOut`, a key it reads and
 * writes into both sets. `run` works on the real world and must be synchronous. What it would touch in another state of the
 * world is not seen: take the result as a start, not as proof.
 */
export function inferFootprint(world: World, run: (world: World) => void): Footprint {
  const reader = new KeyReader();
  const nRead: NodeKey[] = [];
  const nWrite: NodeKey[] = [];
  const eRead: EdgeKey[] = [];
  const eWrite: EdgeKey[] = [];
  const aRead: AttachmentKey[] = [];
  const aWrite: AttachmentKey[] = [];
  const bIn: PortKey[] = [];
  const bOut: PortKey[] = [];
  const reads = { node: nRead, edge: eRead, attachment: aRead, port: bIn };
  const writes = { node: nWrite, edge: eWrite, attachment: aWrite, port: bOut };
  // The key is copied at once: the caller may reuse its buffers for the next access.
  const note = (sets: typeof reads, category: Category, key: ResourceKey) =>
    (sets[checkedCategory(category)] as ResourceKey[]).push(reader.read(category, key, 'key'));
  const outcome: unknown = run({
    read(category, key) {
      note(reads, category, key);
      return world.read(category, key);
    },
    write(category, key, value) {
      note(writes, category, key);
      world.write(category, key, value);
    },
  });
  if (outcome instanceof Promise) {
    throw new RewriteArgumentError('run must be synchronous: what it touches later would be missed', {
      field: 'run',
      value: run,
    });
  }
  return footprint({ nRead, nWrite, eRead, eWrite, aRead, aWrite, bIn, bOut });
}

function isDeclared(declared: Footprint, use: 'read' | 'write', category: Category, key: ResourceKey): boolean {
  const has = (keys: readonly ResourceKey[]) => indexOfKey(keys, key, comparisonOf(category)) !== -1;
  if (category === 'port') return has(declared.bIn) || has(declared.bOut);
  const [reads, writes] = readsAndWrites(declared, category);
  return has(writes) || (use === 'read' && has(reads));
}

function checkedCategory(category: Category): Category {
  if (category === 'node' || category === 'edge' || category === 'attachment' || category === 'port') return category;
  const text = `category must be 'node', 'edge', 'attachment' or 'port', got ${String(category)}`;
  throw new RewriteArgumentError(text, { field: 'category', value: category });
}

function describe(key: ResourceKey): string {
  return Object.entries(key)
    .map(([name, value]) => `${name} ${value instanceof Uint8Array ? hex(value) : String(value)}`)
    .join(', ');
}

function hex(bytes: Uint8Array): string {
  return `0x${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}
