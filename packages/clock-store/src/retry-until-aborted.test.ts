import { expect, test } from 'vitest';
import { retryUntilAborted } from './retry-until-aborted.js';
import { createManualClock } from './testing/manual-clock.js';

function stage() {
  const clock = createManualClock({ now: 0 });
  const stopping = new AbortController();
  const failures: number[] = [];
  const options = {
    clock,
    pauseMs: 1_000,
    signal: stopping.signal,
    onFailure: (_error: unknown, attempt: number) => void failures.push(attempt),
  };
  return { clock, stopping, failures, options };
}

test('work is attempted again after each pause until it succeeds', async () => {
  const { clock, failures, options } = stage();
  const times: number[] = [];
  const done = retryUntilAborted(async (attempt) => {
    times.push(clock.now());
    if (attempt < 3) throw new Error('lost');
    return `attempt ${attempt}`;
  }, options);
  await clock.advanceBy(2_000);
  expect(await done).toBe('attempt 3');
  expect(times).toEqual([0, 1_000, 2_000]);
  expect(failures).toEqual([1, 2]);
});

test('an abort ends the pause and leaves one more attempt, whose error is thrown', async () => {
  const { clock, stopping, failures, options } = stage();
  const failed = expect(
    retryUntilAborted(async (attempt) => {
      throw new Error(`lost ${attempt}`);
    }, options),
  ).rejects.toThrow('lost 2');
  await clock.settle();
  stopping.abort();
  await failed;
  expect(failures).toEqual([1, 2]);
});
