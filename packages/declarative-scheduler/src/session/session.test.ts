import { createManualClock } from '@horae/clock-store/testing';
import { expect, test, vi } from 'vitest';
import { DueHeap } from '../base/due-heap.js';
import { createScheduler, type Registration } from '../index.js';

/** Looks at the heap in an hour with nothing due. */
async function idleLooks(count: number): Promise<number> {
  const clock = createManualClock({ now: '2026-03-01T10:00:30Z' });
  const scheduler = createScheduler({ zone: 'UTC', clock });
  const tasks = Array.from({ length: count }, (_, i): Registration => [`task-${i}`, '0 0 1 1 *', () => {}, 60_000]);
  await scheduler.initialize(tasks);
  const spies = (['peek', 'push', 'pop', 'remove'] as const).map((name) => vi.spyOn(DueHeap.prototype, name));
  const compared = vi.spyOn(DueHeap.prototype as never, 'down');
  await clock.advanceBy(3_600_000);
  const looks = [...spies, compared].reduce((sum, { mock }) => sum + mock.calls.length, 0);
  vi.restoreAllMocks();
  await scheduler.stop();
  return looks;
}

test('the cost of a wake-up depends on due tasks, not on all tasks', async () => {
  const few = await idleLooks(10);
  expect(few).toBeGreaterThan(0);
  expect(await idleLooks(5_000)).toBe(few);
});
