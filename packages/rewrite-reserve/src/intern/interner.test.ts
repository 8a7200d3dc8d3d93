import { seededRandom } from '@horae/clock-store';
import { describe, expect, test } from 'vitest';
import { bytes32, key, rewrite } from '../../test/support/rewrites.js';
import { canonicalFootprint } from '../footprint/footprint.js';
import type { FootprintSets } from '../footprint/footprint-sets.js';
import { codesOf, codesStart } from '../footprint/sealed-footprint.js';
import { createInterner, createRewriteScheduler, type Id } from '../index.js';
import type { Category, ResourceKey } from '../keys/resource-keys.js';
import { KeyInterner } from './interner.js';

const SETS = { node: 'nRead', edge: 'eRead', attachment: 'aRead', port: 'bIn' } as const;

/** The number of a key: that of a footprint with nothing else in it. */
function resource(interner: KeyInterner, category: Category, only: ResourceKey): number {
  const sets = { [SETS[category]]: [only] } as FootprintSets;
  const footprint = canonicalFootprint(sets);
  interner.compile(footprint);
  return codesOf(footprint)[codesStart(footprint)]! >>> 1;
}

describe('an interner', () => {
  test('gives equal keys one number and different keys different ones, through many growths', () => {
    const interner = new KeyInterner();
    const ids: Id[] = [];
    for (let at = 0; at < 5000; at++) ids.push(at, `n${at}`, bytes32(at >>> 8, at));
    const numbers = ids.map((id) => resource(interner, 'node', key(id)));
    expect(new Set(numbers).size).toBe(ids.length);
    expect(ids.map((id) => resource(interner, 'node', key(typeof id === 'object' ? new Uint8Array(id) : id)))).toEqual(
      numbers,
    );
    expect(interner.size).toBe(ids.length + 1);
  });

  test('keeps categories, planes, owners, warps and forms apart', () => {
    const interner = new KeyInterner();
    const attachment = (owner: 'node' | 'edge', plane: 'alpha' | 'beta') => ({ owner, plane, warp: 1, id: 1 });
    const numbers = [
      resource(interner, 'node', key(1)),
      resource(interner, 'edge', key(1)),
      resource(interner, 'node', key('1')),
      resource(interner, 'node', key(bytes32(1))),
      resource(interner, 'node', key(1, '1')),
      resource(interner, 'node', key(1, 2)),
      resource(interner, 'attachment', attachment('node', 'alpha')),
      resource(interner, 'attachment', attachment('node', 'beta')),
      resource(interner, 'attachment', attachment('edge', 'alpha')),
      resource(interner, 'attachment', attachment('edge', 'beta')),
      resource(interner, 'port', { warp: 1, port: 1n }),
    ];
    expect(new Set(numbers).size).toBe(numbers.length);
  });

  test('tells ports apart in all 64 bits', () => {
    const interner = new KeyInterner();
    const ports = [0n, 1n, 2n ** 31n, 2n ** 32n, 2n ** 32n + 1n, 2n ** 53n, 2n ** 63n, 2n ** 64n - 1n];
    const number = (port: bigint) => resource(interner, 'port', { warp: 1, port });
    const numbers = ports.map(number);
    expect(new Set(numbers).size).toBe(ports.length);
    for (let at = 0; at < 3000; at++) number(BigInt(at + 10));
    expect(ports.map(number)).toEqual(numbers);
  });

  test('spreads names that agree in all but one byte, wherever that byte is', () => {
    const interner = new KeyInterner();
    const numbers = new Set<number>();
    for (let position = 0; position < 32; position++) {
      for (let value = 1; value < 256; value++) {
        const id = new Uint8Array(32);
        id[position] = value;
        numbers.add(resource(interner, 'node', key(id)));
      }
    }
    expect(numbers.size).toBe(32 * 255);
  });

  test('keeps the numbers of names when many agree in their first bytes and the table changes its hash', () => {
    const interner = new KeyInterner();
    const name = (first: number, last: number) =>
      bytes32(first)
        .fill(last & 255, 31)
        .fill(last >>> 8, 30, 31);
    const ids: Id[] = [];
    for (let at = 0; at < 300; at++) ids.push(name(at & 255, at), at, `n${at}`);
    const before = ids.map((id) => resource(interner, 'node', key(id)));
    // So few that the table does not grow meanwhile, which would put everything in its place as well.
    for (let at = 0; at < 60; at++) ids.push(name(7, at + 1000));
    const all = ids.map((id) => resource(interner, 'node', key(id)));
    expect(all.slice(0, before.length)).toEqual(before);
    expect(new Set(all).size).toBe(ids.length);
    expect(ids.map((id) => resource(interner, 'node', key(id)))).toEqual(all);
  });

  test('may serve many schedulers, and a footprint may go to schedulers with different interners in turn', () => {
    const shared = createInterner();
    const random = seededRandom('turns');
    const schedulers = [
      createRewriteScheduler({ interner: shared }),
      createRewriteScheduler({ interner: shared }),
      createRewriteScheduler(),
    ];
    const batch = Array.from({ length: 60 }, () => rewrite({ nWrite: [key(random.below(40)), key(random.below(40))] }));
    const decisions = schedulers.map(() => [] as boolean[]);
    for (const pending of batch) {
      for (const [at, scheduler] of schedulers.entries()) decisions[at]!.push(scheduler.reserve(1, pending));
    }
    expect(decisions[0]).toContain(false);
    expect(decisions[1]).toEqual(decisions[0]);
    expect(decisions[2]).toEqual(decisions[0]);
  });

  test('must come from createInterner', () => {
    expect(() => createRewriteScheduler({ interner: { size: 0 } })).toThrow(
      expect.objectContaining({ code: 'bad-argument' }),
    );
  });
});
