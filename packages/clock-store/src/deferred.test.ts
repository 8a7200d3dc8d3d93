import { expect, test } from 'vitest';
import { deferred } from './deferred.js';

test('a deferred promise is settled from outside, by the first call', async () => {
  const kept = deferred<number>();
  kept.resolve(1);
  kept.reject(new Error('too late'));
  expect(await kept.promise).toBe(1);
  const broken = deferred<number>();
  broken.reject(new Error('no'));
  await expect(broken.promise).rejects.toThrow('no');
});
