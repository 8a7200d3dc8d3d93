import { expect, test } from 'vitest';
import { explainWait, InvalidEpoch, runEpoch } from '../../src/index.js';

const LIMIT = { timeout: 20_000 };

test('a chain of 20,000 actions, in either order of the list, is walked through once', LIMIT, () => {
  const epochOf = { index: 0, start_at: '2025-07-01T08:00:00', end_at: 1440 };
  const chain = Array.from({ length: 20_000 }, (_, i) => ({
    id: `x${i}`,
    actor: 'a',
    verb: 'v',
    submitted_at: 0,
    ...(i === 0 ? {} : { after: [`x${i - 1}`] }),
  }));
  for (const actions_submitted of [chain, [...chain].reverse()]) {
    const result = runEpoch({ epoch: epochOf, action_defs: { v: { base_duration_min: 1 } }, actions_submitted });
    expect(result.schedule_events.filter(({ type }) => type === 'end')).toHaveLength(1_440);
    expect(result.rejections).toEqual([]);
  }
});

test('sources without end are refused', LIMIT, () => {
  const arrivals = [{ verb: 'v', every: { kind: 'empirical', values: [0, 1e-7] } as const, id: 'x{n}' }];
  const input = { epoch: { index: 0, start_at: '2025-07-01T08:00:00', end_at: 1440 }, actions_submitted: [], arrivals };
  expect(() => runEpoch({ ...input, action_defs: { v: { base_duration_min: 1 } } })).toThrow(InvalidEpoch);
});

test('why each of 4,000 waiters waits fits into a list that does not grow with their square', LIMIT, () => {
  const actions_submitted = Array.from({ length: 4_000 }, (_, i) => ({
    id: `x${i}`,
    actor: 'a',
    verb: 'v',
    submitted_at: 0,
  }));
  const epoch = { index: 0, start_at: '2025-07-01T08:00:00', end_at: 10 };
  const action_defs = { v: { base_duration_min: 60, locks: ['l'] } };
  const result = runEpoch({ epoch, action_defs, actions_submitted });
  const names = result.waits.map(({ behind }) => behind.length);
  expect(names.slice(0, 3)).toEqual([0, 1, 2]);
  expect(names.at(-1)).toBe(10);
  expect(names.reduce((sum, count) => sum + count)).toBeLessThan(1_050_000);
  expect(explainWait(result, 'x3999')!.chain[0]).toMatchObject({ action_id: 'x0', lock: 'l' });
});
