import { deferred } from '@horae/clock-store';
import { expect, test } from 'vitest';
import type { RegisteredExecutor } from '../../store/job-store.js';
import { ExecutorCount } from './executor-count.js';

const executor = (address: string) => ({ group: 'g', address, nodeOwner: null });
const registered = (...addresses: string[]) => addresses.map((address) => executor(address) as RegisteredExecutor);
const clock = { monotonicMs: () => 0 };

test('one that a reading has found before its registration was answered is counted once', async () => {
  const count = new ExecutorCount(clock);
  count.begin(executor('a'));
  const reads = { executors: async () => registered('a', 'b') };
  expect(await count.others(reads, executor('b'))).toBe(1);
  count.end(executor('a'), true);
  expect(await count.others(reads, executor('c'))).toBe(2);
});

test('one that is registered while a reading is made is not forgotten', async () => {
  const count = new ExecutorCount(clock);
  const reading = deferred<RegisteredExecutor[]>();
  const others = count.others({ executors: () => reading.promise }, executor('b'));
  count.begin(executor('a'));
  count.end(executor('a'), true);
  reading.resolve([]);
  expect(await others).toBe(1);
});

test('one that could not be written counts no more', async () => {
  const count = new ExecutorCount(clock);
  count.begin(executor('a'));
  count.end(executor('a'), false);
  expect(await count.others({ executors: async () => [] }, executor('b'))).toBe(0);
});
