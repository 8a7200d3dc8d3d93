import { describe, expect, test } from 'vitest';
import {
  createRewriteScheduler,
  decodeReceipt,
  encodeReceipt,
  footprint,
  guardFootprint,
  independent,
  inferFootprint,
  type PendingRewrite,
  receipt,
  union,
  verifyReceipt,
} from '../../src/index.js';
import { bytes32, key, rewrite } from '../support/rewrites.js';

const KINDS = ['radix', 'legacy'] as const;
const SETS = { write: 'nWrite', add: 'nAdd', read: 'nRead' } as const;
type Use = keyof typeof SETS;
const using = (...uses: Use[]) => rewrite(Object.fromEntries(uses.map((use) => [SETS[use], [key('k')]])));

describe('adds', () => {
  test.each<{ candidate: Use[]; holder: Use[]; modes: string[] }>([
    { candidate: ['add'], holder: ['add'], modes: [] },
    { candidate: ['add'], holder: ['read'], modes: ['add-read'] },
    { candidate: ['add'], holder: ['write'], modes: ['add-write'] },
    { candidate: ['read'], holder: ['add'], modes: ['read-add'] },
    { candidate: ['write'], holder: ['add'], modes: ['write-add'] },
    { candidate: ['write', 'add'], holder: ['add'], modes: ['write-add'] },
    { candidate: ['add'], holder: ['write', 'add'], modes: ['add-write'] },
    { candidate: ['add', 'read'], holder: ['add'], modes: ['read-add'] },
    { candidate: ['add', 'read'], holder: ['read'], modes: ['add-read'] },
    { candidate: ['add', 'read'], holder: ['add', 'read'], modes: ['add-read'] },
    { candidate: ['add'], holder: ['add', 'read'], modes: ['add-read'] },
    { candidate: ['read'], holder: ['add', 'read'], modes: ['read-add'] },
    { candidate: ['write'], holder: ['add', 'read'], modes: ['write-add'] },
  ])('$candidate against $holder: $modes', ({ candidate, holder, modes }) => {
    for (const kind of KINDS) {
      for (const explain of ['first', 'all'] as const) {
        const scheduler = createRewriteScheduler({ kind, explain });
        scheduler.reserve(1, using(...holder));
        expect(scheduler.explain(1, using(...candidate)).map(({ mode }) => mode)).toEqual(modes);
        expect(scheduler.reserve(1, using(...candidate))).toBe(modes.length === 0);
      }
    }
    expect(independent(using(...candidate).footprint, using(...holder).footprint)).toBe(modes.length === 0);
  });

  test('of one key have many holders, and a writer is blocked by each of them', () => {
    for (const kind of KINDS) {
      const scheduler = createRewriteScheduler({ kind, explain: 'all' });
      const adders = [using('add'), using('add'), using('add')];
      expect(scheduler.reserveMany(1, adders).reserved).toBe(3);
      const blockers = scheduler.explain(1, using('write'));
      expect(blockers.map(({ blockedBy }) => adders.indexOf(blockedBy))).toEqual([0, 1, 2]);
    }
  });

  test('rolled back are never done', () => {
    const scheduler = createRewriteScheduler();
    const mark = scheduler.savepoint(1);
    scheduler.reserve(1, using('add'));
    scheduler.rollbackTo(1, mark);
    expect(scheduler.reserve(1, using('read'))).toBe(true);
    expect(scheduler.reserve(1, using('add'))).toBe(false);
  });

  test('do not outlive their transaction', () => {
    const scheduler = createRewriteScheduler();
    scheduler.reserve(1, using('add'));
    scheduler.finalizeTx(1);
    expect(scheduler.reserve(1, using('write'))).toBe(true);
    expect(scheduler.reserve(1, using('add'))).toBe(false);
  });

  test('belong to edges and attachments as well, and must be in the warp of the scope', () => {
    const attached = { owner: 'node' as const, warp: 1, id: 1, plane: 'alpha' as const };
    const scheduler = createRewriteScheduler();
    expect(scheduler.reserve(1, rewrite({ eAdd: [key(1)], aAdd: [attached] }))).toBe(true);
    expect(scheduler.reserve(1, rewrite({ eAdd: [key(1)], aAdd: [attached] }))).toBe(true);
    expect(scheduler.reserve(1, rewrite({ eRead: [key(1)] }))).toBe(false);
    expect(scheduler.reserve(1, rewrite({ aRead: [attached] }))).toBe(false);
    expect(() => scheduler.reserve(1, rewrite({ aAdd: [{ ...attached, warp: 2 }] }))).toThrow(
      expect.objectContaining({ code: 'warp-mismatch', details: expect.objectContaining({ field: 'footprint.aAdd' }) }),
    );
  });

  test('are sets of a footprint like the others: ordered, united, kept by a copy', () => {
    const made = footprint({ nAdd: [key('b'), key('a'), key('b')] });
    expect(made.nAdd).toEqual([key('a'), key('b')]);
    expect(footprint().nAdd).toEqual([]);
    expect(union(made, footprint({ nAdd: [key('c')] })).nAdd).toEqual([key('a'), key('b'), key('c')]);
    expect(independent({ ...made }, footprint({ nRead: [key('a')] }))).toBe(false);
    expect(independent(structuredClone(made), footprint({ nRead: [key('a')] }))).toBe(false);
  });

  test('commute: every order of accepted adders gives one value', () => {
    const scheduler = createRewriteScheduler();
    const deltas = new Map<PendingRewrite, number>([1, 10, 100, 1000].map((delta) => [using('add'), delta]));
    const { entries } = scheduler.reserveMany(1, [...deltas.keys()]);
    const accepted = entries.filter((entry) => entry.accepted).map((entry) => entry.rewrite);
    const permutations = (list: PendingRewrite[]): PendingRewrite[][] =>
      list.length === 0
        ? [[]]
        : list.flatMap((each) => permutations(list.filter((other) => other !== each)).map((rest) => [each, ...rest]));
    const totals = permutations(accepted).map((order) => order.reduce((sum, each) => sum + deltas.get(each)!, 0));
    expect(totals).toHaveLength(24);
    expect(new Set(totals)).toEqual(new Set([1111]));
  });
});

describe('a receipt with adds', () => {
  const at = (first: number) => ({ scopeHash: bytes32(first) });
  const candidates = [
    rewrite({ nAdd: [key('k')] }, at(1)),
    rewrite({ nAdd: [key('k')] }, at(2)),
    rewrite({ nRead: [key('k')] }, at(3)),
  ];
  const made = receipt(createRewriteScheduler().reserveMany(1, candidates));

  test('names both adders as blockers of the reader and verifies', () => {
    expect(made.entries.map(({ blockedBy }) => blockedBy)).toEqual([[], [], [0, 1]]);
    expect(verifyReceipt(decodeReceipt(encodeReceipt(made)), candidates)).toEqual({ valid: true });
  });

  test('records the mode: the same keys written are another plan, even where every decision is the same', () => {
    const single = (sets: object) => [rewrite(sets, at(1))];
    const plan = (sets: object) => {
      const { digests } = receipt(createRewriteScheduler().reserveMany(1, single(sets)));
      return Buffer.from(digests.plan).toString('hex');
    };
    const plans = [{ nAdd: [key('k')] }, { nWrite: [key('k')] }, { nRead: [key('k')] }, { eAdd: [key('k')] }].map(plan);
    expect(new Set(plans).size).toBe(4);
    const alone = receipt(createRewriteScheduler().reserveMany(1, single({ nAdd: [key('k')] })));
    expect(verifyReceipt(alone, single({ nWrite: [key('k')] }))).toMatchObject({ valid: false });
  });

  test('records subtrees and bounds', () => {
    const shapes = [
      { warp: 1, id: ['a'] },
      { warp: 1, path: ['a'], subtree: true as const },
      { warp: 1, path: ['a'], from: 1 },
      { warp: 1, path: ['a'], to: 1 },
      { warp: 1, path: ['a'], from: 0, to: 1 },
      { warp: 1, id: ['a', 1] },
      { warp: 1, id: 'a' },
    ];
    const plans = shapes.map((shape) => {
      const { digests } = receipt(createRewriteScheduler().reserveMany(1, [rewrite({ nWrite: [shape] }, at(1))]));
      return Buffer.from(digests.plan).toString('hex');
    });
    expect(new Set(plans).size).toBe(shapes.length);
  });
});

describe('a guard with adds', () => {
  const log: string[] = [];
  const world = { read: () => 0, write: () => {}, add: (...call: unknown[]) => void log.push(call.join()) };

  test('wants the key in an add or write set', () => {
    const adder = guardFootprint(using('add'), world);
    adder.add!('node', key('k'), 5);
    guardFootprint(using('write'), world).add!('node', key('k'), 6);
    expect(log).toHaveLength(2);
    expect(() => guardFootprint(using('read'), world).add!('node', key('k'), 7)).toThrow(
      expect.objectContaining({ code: 'undeclared-add', details: { category: 'node', key: key('k') } }),
    );
    expect(() => adder.read('node', key('k'))).toThrow(expect.objectContaining({ code: 'undeclared-read' }));
    expect(() => adder.write('node', key('k'), 1)).toThrow(expect.objectContaining({ code: 'undeclared-write' }));
    expect(log).toHaveLength(2);
  });

  test('has no add where the world has none, and none for ports', () => {
    expect(guardFootprint(using('add'), { read: () => 0, write: () => {} }).add).toBeUndefined();
    const ports = guardFootprint(rewrite({ bIn: [{ warp: 1, port: 1 }] }), world);
    expect(() => ports.add!('port', { warp: 1, port: 1 }, 1)).toThrow(
      expect.objectContaining({ code: 'bad-argument' }),
    );
  });

  test('inferFootprint puts what is added to into the add set', () => {
    const touched = inferFootprint(world, (seen) => {
      seen.add!('node', key('k'), 1);
      seen.add!('edge', key('k'), 1);
    });
    expect(touched).toEqual(footprint({ nAdd: [key('k')], eAdd: [key('k')] }));
  });
});
