import { createHash } from 'node:crypto';
import { seededRandom } from '@horae/clock-store';
import { expect, test } from 'vitest';
import { type RouteStrategy, routeStrategies } from '../model/job.js';
import { chooseExecutor, type RouteContext } from './route.js';
import { bucketOf, routeHash } from './route-hash.js';
import { createRouteMemory } from './route-memory.js';

const addresses = ['a:1', 'b:1', 'c:1'];
const context = (change: Partial<RouteContext> = {}): RouteContext => ({
  jobId: 1,
  addresses,
  memory: createRouteMemory(),
  random: seededRandom('routes'),
  beat: async () => true,
  idleBeat: async () => true,
  ...change,
});
const several = async (strategy: RouteStrategy, times: number, from: RouteContext) => {
  const chosen: string[] = [];
  for (let i = 0; i < times; i++) chosen.push(...(await chooseExecutor(strategy, from)));
  return chosen;
};

test.each(routeStrategies)('%s chooses nobody among nobody', async (strategy) => {
  expect(await chooseExecutor(strategy, context({ addresses: [] }))).toEqual([]);
});

test('FIRST and LAST are fixed, SHARDING_BROADCAST is everybody', async () => {
  expect(await several('FIRST', 2, context())).toEqual(['a:1', 'a:1']);
  expect(await several('LAST', 2, context())).toEqual(['c:1', 'c:1']);
  expect(await chooseExecutor('SHARDING_BROADCAST', context())).toEqual(addresses);
});

test('ROUND begins at random and then goes on one by one, each job by itself', async () => {
  const starts = new Set<string>();
  for (let seed = 0; seed < 50; seed++) {
    const from = context({ random: seededRandom(seed) });
    const chosen = await several('ROUND', 7, from);
    const start = addresses.indexOf(chosen[0]!);
    expect(chosen).toEqual(Array.from({ length: 7 }, (_, i) => addresses[(start + i) % 3]));
    starts.add(chosen[0]!);
  }
  expect(starts.size).toBe(3);
});

test('RANDOM reaches everybody', async () => {
  expect(new Set(await several('RANDOM', 100, context()))).toEqual(new Set(addresses));
});

test('LEAST_FREQUENTLY_USED takes the lowest count, ties in list order; new ones join at the lowest count, vanished ones are forgotten', async () => {
  const memory = createRouteMemory();
  expect(await several('LEAST_FREQUENTLY_USED', 5, context({ memory }))).toEqual(['a:1', 'b:1', 'c:1', 'a:1', 'b:1']);
  expect(await several('LEAST_FREQUENTLY_USED', 3, context({ memory, addresses: [...addresses, 'd:1'] }))).toEqual([
    'c:1',
    'd:1',
    'a:1',
  ]);
  expect(await several('LEAST_FREQUENTLY_USED', 1, context({ memory, addresses: ['b:1'] }))).toEqual(['b:1']);
  expect(await several('LEAST_FREQUENTLY_USED', 3, context({ memory }))).toEqual(['a:1', 'b:1', 'c:1']);
});

test('LEAST_RECENTLY_USED takes the one longest unused; new ones join at the end', async () => {
  const memory = createRouteMemory();
  expect(await several('LEAST_RECENTLY_USED', 4, context({ memory }))).toEqual(['a:1', 'b:1', 'c:1', 'a:1']);
  expect(await several('LEAST_RECENTLY_USED', 4, context({ memory, addresses: [...addresses, 'd:1'] }))).toEqual([
    'b:1',
    'c:1',
    'a:1',
    'd:1',
  ]);
});

test('FAILOVER and BUSYOVER ask in list order and stop at the first yes; a probe that rejects is a no', async () => {
  const asked: string[] = [];
  const answers = async (address: string) => {
    asked.push(address);
    if (address === 'a:1') throw new Error('unreachable');
    return address === 'b:1';
  };
  expect(await chooseExecutor('FAILOVER', context({ beat: answers }))).toEqual(['b:1']);
  expect(await chooseExecutor('BUSYOVER', context({ idleBeat: answers }))).toEqual(['b:1']);
  expect(asked).toEqual(['a:1', 'b:1', 'a:1', 'b:1']);
  expect(await chooseExecutor('FAILOVER', context({ beat: async () => false }))).toEqual([]);
});

test('a route hash is the first four bytes of the MD5, little-endian, unsigned', () => {
  for (const key of ['', '1', 'SHARD-a:1-NODE-0']) {
    const digest = createHash('md5').update(key).digest();
    expect(routeHash(key)).toBe((digest[0]! | (digest[1]! << 8) | (digest[2]! << 16) | (digest[3]! << 24)) >>> 0);
  }
  expect(bucketOf(17)).toBe(routeHash('17') % 64);
});

test('CONSISTENT_HASH is the first of a hundred virtual nodes at or after the job; a lost executor moves only its own jobs', async () => {
  const circle = (of: readonly string[]) =>
    of
      .flatMap((address) =>
        Array.from({ length: 100 }, (_, i) => ({ address, hash: routeHash(`SHARD-${address}-NODE-${i}`) })),
      )
      .sort((a, b) => a.hash - b.hash);
  const expected = (jobId: number, of: readonly string[]) =>
    (circle(of).find(({ hash }) => hash >= routeHash(String(jobId))) ?? circle(of)[0]!).address;
  for (let jobId = 1; jobId <= 60; jobId++) {
    const [all] = await chooseExecutor('CONSISTENT_HASH', context({ jobId }));
    expect(all).toBe(expected(jobId, addresses));
    const [left] = await chooseExecutor('CONSISTENT_HASH', context({ jobId, addresses: ['a:1', 'c:1'] }));
    if (all !== 'b:1') expect(left).toBe(all);
  }
});
