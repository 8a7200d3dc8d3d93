import { describe, expect, test } from 'vitest';
import { createRewriteScheduler, type PendingRewrite, type RewriteScheduler } from '../../src/index.js';
import { bytes32, key, rewrite } from '../support/rewrites.js';

const writing = (first: number, id: number | string = 'k', compactRule = 1) =>
  rewrite({ nWrite: [key(id)] }, { scopeHash: bytes32(first), compactRule });

/** Drains and reserves everything that waits; gives what was accepted. */
function tick(scheduler: RewriteScheduler, tx: number): PendingRewrite[] {
  const { entries } = scheduler.reserveMany(tx, scheduler.drainForTx(tx));
  return entries.filter(({ accepted }) => accepted).map((entry) => entry.rewrite);
}

describe('carryOver', () => {
  test('enqueues what was refused, as matched, in canonical order with its age', () => {
    const scheduler = createRewriteScheduler();
    const [a, b, c] = [writing(1), writing(2), writing(3)];
    scheduler.reserveMany(1, [a, c, b]);
    expect(scheduler.carryOver(1, 2)).toEqual([
      { rewrite: b, age: 1 },
      { rewrite: c, age: 1 },
    ]);
    expect([a, b, c].map(({ phase }) => phase)).toEqual(['reserved', 'matched', 'matched']);
    scheduler.finalizeTx(1);
    expect(scheduler.drainForTx(2)).toEqual([b, c]);
  });

  test('counts the transactions in a row that refused a rewrite', () => {
    const scheduler = createRewriteScheduler();
    const last = writing(9);
    scheduler.enqueue(1, last);
    const ages: number[] = [];
    for (let tx = 1; tx <= 4; tx++) {
      scheduler.enqueue(tx, writing(tx));
      tick(scheduler, tx);
      ages.push(scheduler.carryOver(tx, tx + 1).find((each) => each.rewrite === last)!.age);
      scheduler.finalizeTx(tx);
    }
    expect(ages).toEqual([1, 2, 3, 4]);
    tick(scheduler, 5);
    expect(last.phase).toBe('reserved');
    expect(scheduler.carryOver(5, 6)).toEqual([]);
    scheduler.reserve(7, writing(1));
    scheduler.reserve(7, last);
    expect(scheduler.carryOver(7, 8)).toEqual([{ rewrite: last, age: 1 }]);
  });

  test('keeps the age of a rewrite that is matched anew under the same hash and rule', () => {
    const scheduler = createRewriteScheduler();
    scheduler.reserveMany(1, [writing(1), writing(9)]);
    scheduler.carryOver(1, 2);
    const anew = writing(9);
    scheduler.enqueue(2, anew);
    scheduler.enqueue(2, writing(1));
    tick(scheduler, 2);
    expect(scheduler.carryOver(2, 3)).toEqual([{ rewrite: anew, age: 2 }]);
  });

  test('gives nothing for an unknown or finished transaction, nor a second time', () => {
    const scheduler = createRewriteScheduler();
    expect(scheduler.carryOver(1, 2)).toEqual([]);
    scheduler.reserveMany(1, [writing(1), writing(2)]);
    expect(scheduler.carryOver(1, 2)).toHaveLength(1);
    expect(scheduler.carryOver(1, 2)).toEqual([]);
    scheduler.reserveMany(3, [writing(1), writing(2)]);
    scheduler.finalizeTx(3);
    expect(scheduler.carryOver(3, 4)).toEqual([]);
  });

  test('leaves out what a rollback has undone, and what was accepted after all', () => {
    const scheduler = createRewriteScheduler();
    const [a, b, c] = [writing(1), writing(2), writing(3)];
    const mark = scheduler.savepoint(1);
    scheduler.reserveMany(1, [a, b]);
    scheduler.rollbackTo(1, mark);
    expect(scheduler.reserve(1, b)).toBe(true);
    expect(scheduler.reserve(1, c)).toBe(false);
    expect(scheduler.carryOver(1, 2)).toEqual([{ rewrite: c, age: 1 }]);
  });

  test('takes every rewrite of a refused all-or-nothing batch', () => {
    const scheduler = createRewriteScheduler();
    const batch = [writing(1), writing(2), writing(3, 'free')];
    scheduler.reserveMany(1, batch, { allOrNothing: true });
    expect(scheduler.carryOver(1, 2).map((each) => each.rewrite)).toEqual(batch);
  });

  test('refuses a transaction that is none, and the same one', () => {
    const scheduler = createRewriteScheduler();
    expect(() => scheduler.carryOver(1, 1)).toThrow(expect.objectContaining({ code: 'bad-argument' }));
    expect(() => scheduler.carryOver(0.5, 1)).toThrow(expect.objectContaining({ code: 'bad-argument' }));
    expect(() => scheduler.carryOver(1, 0.5)).toThrow(expect.objectContaining({ code: 'bad-argument' }));
  });

  test('stops before it begins at a rewrite that is frozen', () => {
    const scheduler = createRewriteScheduler();
    const [b, c] = [writing(2), writing(3)];
    scheduler.reserveMany(1, [writing(1), b, c]);
    Object.freeze(c);
    expect(() => scheduler.carryOver(1, 2)).toThrow(expect.objectContaining({ code: 'bad-argument' }));
    expect(b.phase).toBe('aborted');
    expect(scheduler.drainForTx(2)).toEqual([]);
  });
});

describe('starvation', () => {
  /** A rewrite with the last hash competes with a new one of a smaller hash in every tick. */
  function ticksUntilAccepted(options: Parameters<typeof createRewriteScheduler>[0]): number {
    const scheduler = createRewriteScheduler(options);
    const last = writing(255);
    scheduler.enqueue(1, last);
    for (let tx = 1; tx <= 20; tx++) {
      scheduler.enqueue(tx, writing(tx));
      if (tick(scheduler, tx).includes(last)) return tx;
      scheduler.carryOver(tx, tx + 1);
      scheduler.finalizeTx(tx);
    }
    return 0;
  }

  test('lets an aged rewrite go first; without the option it starves', () => {
    expect(ticksUntilAccepted({})).toBe(0);
    expect(ticksUntilAccepted({ starvation: { after: 1 } })).toBe(2);
    expect(ticksUntilAccepted({ starvation: { after: 3 } })).toBe(4);
    expect(ticksUntilAccepted({ starvation: { after: 3 }, kind: 'legacy' })).toBe(4);
  });

  test('drains the oldest first, the others of one age in canonical order', () => {
    const scheduler = createRewriteScheduler({ starvation: { after: 1 } });
    const [old, young1, young2, fresh] = [writing(200), writing(90), writing(100), writing(1)];
    scheduler.reserveMany(1, [writing(1), old]);
    scheduler.carryOver(1, 2);
    scheduler.reserveMany(2, [writing(2), old, young2, young1]);
    scheduler.carryOver(2, 3);
    scheduler.enqueue(3, fresh);
    expect(scheduler.drainForTx(3)).toEqual([old, young1, young2, fresh]);
  });

  test.each([[0], [1.5], [Number.NaN], ['2']])('after %s is refused', (after) => {
    expect(() => createRewriteScheduler({ starvation: { after: after as number } })).toThrow(
      expect.objectContaining({ code: 'bad-argument' }),
    );
  });
});

describe('the legacy kind', () => {
  const named = (rule: number, id: number | undefined) =>
    rewrite({}, { scopeHash: bytes32(1), compactRule: rule, ...(id === undefined ? {} : { ruleId: bytes32(id) }) });
  const drained = (kind: 'radix' | 'legacy', list: PendingRewrite[]) => {
    const scheduler = createRewriteScheduler({ kind });
    for (const each of list) scheduler.enqueue(1, each);
    return scheduler.drainForTx(1).map(({ compactRule }) => compactRule);
  };

  test('drains by rule id when both have one; the radix kind by rule', () => {
    const list = [named(1, 30), named(2, 20), named(3, 10)];
    expect(drained('legacy', list)).toEqual([3, 2, 1]);
    expect(drained('radix', list)).toEqual([1, 2, 3]);
  });

  test('drains by rule when one of two has no rule id, and by hash before all', () => {
    expect(drained('legacy', [named(2, 1), named(1, undefined)])).toEqual([1, 2]);
    const earlier = rewrite({}, { scopeHash: bytes32(0), compactRule: 9, ruleId: bytes32(99) });
    expect(drained('legacy', [named(3, 1), earlier])).toEqual([9, 3]);
  });

  test('gives one order for mixed rewrites, whatever the order of insertion', () => {
    const list = [named(1, 30), named(2, undefined), named(3, 10), named(4, 20)];
    expect(drained('legacy', list)).toEqual([3, 2, 4, 1]);
    expect(drained('legacy', list.toReversed())).toEqual([3, 2, 4, 1]);
  });
});

describe('strict', () => {
  const attached = (set: 'aRead' | 'aAdd' | 'aWrite', owner: 'node' | 'edge', plane: 'alpha' | 'beta') =>
    rewrite({ [set]: [{ owner, warp: 1, id: 1, plane }] });

  test.each(['aRead', 'aAdd', 'aWrite'] as const)('refuses a node with beta and an edge with alpha in %s', (set) => {
    const scheduler = createRewriteScheduler({ strict: true });
    for (const [owner, plane] of [
      ['node', 'beta'],
      ['edge', 'alpha'],
    ] as const) {
      const refused = expect.objectContaining({
        code: 'bad-key',
        details: expect.objectContaining({ field: `footprint.${set}` }),
      });
      const bad = attached(set, owner, plane);
      expect(() => scheduler.enqueue(1, bad)).toThrow(refused);
      expect(() => scheduler.reserve(1, bad)).toThrow(refused);
      expect(() => scheduler.explain(1, bad)).toThrow(refused);
      const good = attached(set, 'node', 'alpha');
      expect(() => scheduler.reserveMany(1, [good, bad])).toThrow(refused);
      expect(good.phase).toBe('matched');
      expect(createRewriteScheduler().reserve(1, bad)).toBe(true);
    }
    expect(scheduler.reserve(1, attached(set, 'edge', 'beta'))).toBe(true);
  });

  test('is true or false', () => {
    expect(() => createRewriteScheduler({ strict: 1 as never })).toThrow(
      expect.objectContaining({ code: 'bad-argument' }),
    );
  });
});
