import { covers } from '../footprint/collision.js';
import { canonicalFootprint, footprint } from '../footprint/footprint.js';
import type { Footprint } from '../footprint/footprint-sets.js';
import { setsOf, type UseMode } from '../footprint/footprint-uses.js';
import { KeyReader } from '../keys/key-forms.js';
import type { Category, ResourceKey } from '../keys/resource-keys.js';
import { FootprintViolationError, RewriteArgumentError } from '../keys/rewrite-errors.js';
import type { PendingRewrite } from '../reserve/pending-rewrite.js';
import { TouchedKeys } from './touched-keys.js';
import { checkedCategory, type World, watched } from './world.js';

/**
 * The world as the rewrite may see it: declared accesses pass through, anything else throws a `FootprintViolationError` before the world is
 * touched. A declared write allows reading and adding too; any use of a port needs it in `bIn` or `bOut`. For development: it costs a
 * search per access, and it cannot see effects that go around it.
 */
export function guardFootprint(rewrite: PendingRewrite, world: World): World {
  const declared = canonicalFootprint(rewrite.footprint);
  const reader = new KeyReader();
  return watched(world, (mode, category, key) => {
    const own = reader.read(checkedCategory(category), key, 'key');
    if (isDeclared(declared, mode, category, own)) return;
    const does = mode === 'add' ? 'add to' : mode;
    const text = `The rewrite would ${does} the ${category} ${describe(own)}, which its footprint does not declare`;
    throw new FootprintViolationError(`undeclared-${mode}`, text, category, own);
  });
}

/**
 * The footprint of what `run` touches, exactly: a port it reads goes to `bIn`, a port it writes to `bOut`, a key it reads and writes into
 * both sets. `run` works on the real world and must be synchronous. Accesses that it would make in another state of the world are not
 * recorded: take the result as a start, not as proof.
 */
export function inferFootprint(world: World, run: (world: World) => void): Footprint {
  const touched = new TouchedKeys();
  const outcome: unknown = run(watched(world, (mode, category, key) => touched.note(mode, category, key)));
  if (outcome instanceof Promise) {
    throw new RewriteArgumentError('run must be synchronous: what it touches later would be missed', {
      field: 'run',
      value: run,
    });
  }
  return footprint(touched.sets);
}

function isDeclared(declared: Footprint, mode: UseMode, category: Category, key: ResourceKey): boolean {
  const has = (keys: readonly ResourceKey[]) => keys.some((each) => covers(category, each, key));
  if (category === 'port') return has(declared.bIn) || has(declared.bOut);
  const { reads, adds, writes } = setsOf(declared, category);
  return has(writes) || (mode === 'read' && has(reads)) || (mode === 'add' && has(adds));
}

function describe(key: ResourceKey): string {
  return Object.entries(key)
    .map(([name, value]) => `${name} ${value instanceof Uint8Array ? hex(value) : String(value)}`)
    .join(', ');
}

function hex(bytes: Uint8Array): string {
  return `0x${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}
