import { describe, expect, test } from 'vitest';
import { createRewriteScheduler, RewriteArgumentError } from '../../src/index.js';
import { key, rewrite } from '../support/rewrites.js';

const writes = (...ids: number[]) => rewrite({ nWrite: ids.map((id) => key(id)) });
const refused = expect.objectContaining({ code: 'bad-argument', details: expect.objectContaining({ field: 'phase' }) });

describe.each(['radix', 'legacy'] as const)('a rewrite that cannot take a phase, in the %s kind,', (kind) => {
  test('is refused by reserve before anything is marked', () => {
    const scheduler = createRewriteScheduler({ kind });
    expect(() => scheduler.reserve(1, Object.freeze(writes(1)))).toThrow(refused);
    expect(() => scheduler.reserve(1, Object.freeze(writes(1)))).toThrow(RewriteArgumentError);
    expect(scheduler.reserve(1, writes(1))).toBe(true);
    expect(() => scheduler.reserve(1, Object.freeze(writes(1)))).toThrow(refused);
    expect(scheduler.finalizeTx(1)).toEqual({ reserved: 1, conflicts: 0 });
  });

  test('anywhere in a batch takes the whole batch back', () => {
    const scheduler = createRewriteScheduler({ kind });
    const [first, second, last] = [writes(1), writes(1), writes(3)];
    second.phase = 'aborted';
    expect(() => scheduler.reserveMany(1, [first, second, Object.freeze(writes(2)), last])).toThrow(refused);
    expect([first.phase, second.phase, last.phase]).toEqual(['matched', 'aborted', 'matched']);
    expect(scheduler.reserveMany(1, [writes(1), writes(2), writes(3)])).toMatchObject({ reserved: 3, conflicts: 0 });
  });

  test('stops a rollback before it begins when it was frozen meanwhile', () => {
    const scheduler = createRewriteScheduler({ kind });
    const mark = scheduler.savepoint(1);
    const [early, late] = [writes(1), writes(2)];
    scheduler.reserve(1, early);
    scheduler.reserve(1, late);
    Object.freeze(early);
    expect(() => scheduler.rollbackTo(1, mark)).toThrow(refused);
    expect([early.phase, late.phase]).toEqual(['reserved', 'reserved']);
    expect([scheduler.reserve(1, writes(1)), scheduler.reserve(1, writes(2))]).toEqual([false, false]);
  });

  test('may be enqueued, drained and explained', () => {
    const scheduler = createRewriteScheduler({ kind });
    const frozen = Object.freeze(writes(1));
    scheduler.enqueue(1, frozen);
    expect(scheduler.drainForTx(1)).toEqual([frozen]);
    expect(scheduler.explain(1, frozen)).toEqual([]);
  });
});
