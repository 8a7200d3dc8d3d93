import { createManualClock } from '@horae/clock-store/testing';
import { expect, test } from 'vitest';
import { silentLogger } from '../../model/logger.js';
import type { RingNode } from '../node/ring-node.js';
import { createRetention } from './retention.js';

/** A store with so many old runs, of which each costs some time to delete. */
function stage(rows: number, msPerRow: number) {
  const clock = createManualClock({ now: 0 });
  const slices: { at: number; limit: number }[] = [];
  let left = rows;
  const deleteRuns = async ({ limit, afterId }: { limit: number; afterId: number }) => {
    slices.push({ at: clock.now(), limit });
    await clock.sleepFor(limit * msPerRow);
    const deleted = Math.min(left, limit);
    left -= deleted;
    return { deleted, lastId: afterId + deleted, isDone: left === 0 };
  };
  const node = {
    clock,
    time: { now: () => clock.now() },
    options: { keepRunsMs: 1 },
    store: { transaction: (work: (trx: unknown) => unknown) => work({ deleteRuns, deleteFlows: async () => 0 }) },
    log: silentLogger,
    isStopping: false,
  } as unknown as RingNode;
  return { clock, slices, retention: createRetention(node), left: () => left };
}

test('slices shrink to the time they may take, and none begins around a whole second', async () => {
  const { clock, slices, retention } = stage(100_000, 0.1);
  await retention.wake();
  await clock.advanceBy(5_000);
  expect(slices.at(-1)!.limit * 0.1).toBeLessThanOrEqual(5);
  expect(slices.filter(({ at }) => at % 1_000 < 50 || at % 1_000 > 970)).toEqual([]);
  const stopped = retention.stop();
  await clock.advanceBy(100);
  await stopped;
});

test('it keeps up with thousands of runs a second, however they are woken', async () => {
  const { clock, retention, left } = stage(20_000, 0.05);
  for (let second = 0; second < 4; second++) {
    await retention.wake();
    await clock.advanceBy(1_000);
  }
  expect(left()).toBe(0);
});
