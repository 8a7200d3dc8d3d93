import { describe, expect, test } from 'vitest';
import { createRewriteScheduler } from '../../src/index.js';
import { key, rewrite } from '../support/rewrites.js';

describe.each(['radix', 'legacy'] as const)('the %s scheduler', (kind) => {
  test('reserve_is_atomic_no_partial_marking_on_conflict', () => {
    const scheduler = createRewriteScheduler({ kind });
    expect(scheduler.reserve(1, rewrite({ nWrite: [key(5)] }))).toBe(true);
    const refused = rewrite({
      nWrite: [key(1), key(5), key(9)],
      nRead: [key(2)],
      eWrite: [key(1)],
      aWrite: [{ owner: 'node', warp: 1, id: 1, plane: 'alpha' }],
      bIn: [{ warp: 1, port: 1 }],
    });
    expect(scheduler.reserve(1, refused)).toBe(false);
    expect(refused.phase).toBe('aborted');
    for (const free of [
      rewrite({ nWrite: [key(1), key(2), key(9)] }),
      rewrite({ eWrite: [key(1)] }),
      rewrite({ aWrite: [{ owner: 'node', warp: 1, id: 1, plane: 'alpha' }] }),
      rewrite({ bOut: [{ warp: 1, port: 1 }] }),
    ]) {
      expect(scheduler.reserve(1, free)).toBe(true);
      expect(free.phase).toBe('reserved');
    }
  });

  test('reserve_determinism_same_sequence_same_results', () => {
    const sequence = Array.from({ length: 200 }, (_, at) =>
      rewrite({ nWrite: [key((at * 7) % 31)], nRead: [key((at * 11) % 29), key((at * 5) % 31)] }),
    );
    const run = () => {
      const scheduler = createRewriteScheduler({ kind });
      return sequence.map((candidate) => scheduler.reserve(1, candidate));
    };
    const first = run();
    expect(first).toContain(true);
    expect(first).toContain(false);
    for (let repeat = 0; repeat < 5; repeat++) expect(run()).toEqual(first);
  });

  test('independent rewrites are all admitted', () => {
    const scheduler = createRewriteScheduler({ kind });
    const independent = Array.from({ length: 50 }, (_, at) => rewrite({ nWrite: [key(at)], nRead: [key(1000)] }));
    expect(scheduler.reserveMany(1, independent)).toMatchObject({ reserved: 50, conflicts: 0 });
  });

  test('a refused rewrite has no effect on later ones: first come, first served', () => {
    const scheduler = createRewriteScheduler({ kind });
    const decisions = [[1], [1, 2], [2], [2, 3], [3]].map((ids) =>
      scheduler.reserve(1, rewrite({ eWrite: ids.map((id) => key(id)) })),
    );
    expect(decisions).toEqual([true, false, true, false, true]);
  });
});
