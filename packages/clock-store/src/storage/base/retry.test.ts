import { expect, test } from 'vitest';
import { seededRandom } from '../../random.js';
import { createManualClock } from '../../testing/manual-clock.js';
import { retryWhileBusy } from './retry.js';
import { DatabaseBusyError } from './storage-errors.js';

const busy = () =>
  new DatabaseBusyError('busy', { url: 'sqlite:x', attempts: 0, waitedMs: 0 }, { cause: new Error('SQLITE_BUSY') });

function policy(limitMs: number) {
  const clock = createManualClock({ now: 0, autoAdvance: true });
  return { clock, random: seededRandom('retry'), limitMs };
}

function failing(times: number, error: () => unknown = busy) {
  let attempts = 0;
  return async () => {
    attempts += 1;
    if (attempts <= times) throw error();
    return attempts;
  };
}

test('contention is tried again until it is over', async () => {
  expect(await retryWhileBusy(policy(10_000), failing(5))).toBe(6);
});

test('contention is recognised inside the errors that the work wraps around it', async () => {
  const wrapped = () => new Error('could not save', { cause: new Error('step 2', { cause: busy() }) });
  expect(await retryWhileBusy(policy(10_000), failing(2, wrapped))).toBe(3);
});

test('another failure is thrown at once, as it is', async () => {
  const reason = new Error('unique constraint');
  await expect(
    retryWhileBusy(
      policy(10_000),
      failing(1, () => reason),
    ),
  ).rejects.toBe(reason);
});

test('at the limit the error says how often and how long it was tried', async () => {
  const error = await retryWhileBusy(policy(1_000), failing(Number.POSITIVE_INFINITY)).catch(
    (reason: unknown) => reason,
  );
  expect(error).toMatchObject({ code: 'database-busy', details: { url: 'sqlite:x' } });
  const { attempts, waitedMs } = (error as DatabaseBusyError).details;
  expect(attempts).toBeGreaterThan(5);
  expect(waitedMs).toBeGreaterThan(700);
  expect(waitedMs).toBeLessThanOrEqual(1_000);
});

test('an error that was waited out further down is not waited out again', async () => {
  const final = new DatabaseBusyError('gave up', { url: 'sqlite:x', attempts: 9, waitedMs: 1_000 });
  await expect(
    retryWhileBusy(
      policy(10_000),
      failing(1, () => final),
    ),
  ).rejects.toBe(final);
});

test('a limit of nothing means one attempt', async () => {
  await expect(retryWhileBusy(policy(0), failing(1))).rejects.toMatchObject({ details: { attempts: 1 } });
});

test('the wait is cut short when the way is clear, and nothing is left of it', async () => {
  const clock = createManualClock({ now: 0 });
  const result = await retryWhileBusy({ clock, random: seededRandom(1), limitMs: 1_000 }, failing(1), () =>
    Promise.resolve(),
  );
  expect(result).toBe(2);
  expect(clock.now()).toBe(0);
  expect(clock.sleepers).toBe(0);
});
