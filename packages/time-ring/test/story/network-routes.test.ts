import { expect, test } from 'vitest';
import { routeStrategies } from '../../src/model/job.js';
import { onEveryDatabase } from '../support/network-databases.js';
import { heldHandler, networkStage, remoteExecutor } from '../support/network-stage.js';

onEveryDatabase(() => {
  test.each(routeStrategies)('%s finds its executor among three behind HTTP', async (route) => {
    const { ring, url, job, allEnded, registered } = await networkStage();
    const ran = new Map<string, number>();
    for (let number = 0; number < 3; number++) {
      const executor = await remoteExecutor({
        ring: url,
        handlers: {
          work: () => {
            ran.set(executor.address, (ran.get(executor.address) ?? 0) + 1);
          },
        },
      });
    }
    const executors = await registered(3);
    const { id } = await job({ route });
    const isBroadcast = route === 'SHARDING_BROADCAST';
    for (let time = 0; time < 6; time++) {
      const run = await ring.jobs.trigger(id);
      const runs = await allEnded(run.fireId, isBroadcast ? 3 : 1);
      expect(runs.map(({ state }) => state)).toEqual(runs.map(() => 'succeeded'));
    }
    const counts = executors.map(({ address }) => ran.get(address) ?? 0);
    const total = counts.reduce((sum, count) => sum + count, 0);
    expect(total).toBe(isBroadcast ? 18 : 6);
    if (['FIRST', 'FAILOVER', 'BUSYOVER'].includes(route)) expect(counts).toEqual([6, 0, 0]);
    if (route === 'LAST') expect(counts).toEqual([0, 0, 6]);
    if (['ROUND', 'LEAST_FREQUENTLY_USED', 'LEAST_RECENTLY_USED'].includes(route)) expect(counts).toEqual([2, 2, 2]);
    if (isBroadcast) expect(counts).toEqual([6, 6, 6]);
    if (route === 'CONSISTENT_HASH') expect(counts.filter((count) => count > 0)).toHaveLength(1);
  });

  test('a broadcast tells each executor its shard, and a failed shard is retried at its own index', async () => {
    const { ring, url, job, allEnded, registered } = await networkStage();
    const shards: [string, number, number, number][] = [];
    for (let number = 0; number < 3; number++) {
      const executor = await remoteExecutor({
        ring: url,
        handlers: {
          work: ({ shardIndex, shardTotal, attempt }) => {
            shards.push([executor.address, shardIndex, shardTotal, attempt]);
            if (shardIndex === 1 && attempt === 1) throw new Error('this shard only');
          },
        },
      });
    }
    const addresses = (await registered(3)).map(({ address }) => address);
    const { id } = await job({ route: 'SHARDING_BROADCAST', retries: 1 });
    const run = await ring.jobs.trigger(id);
    await allEnded(run.fireId, 4);
    expect(shards.sort((a, b) => a[1] - b[1] || a[3] - b[3])).toEqual([
      [addresses[0], 0, 3, 1],
      [addresses[1], 1, 3, 1],
      [addresses[1], 1, 3, 2],
      [addresses[2], 2, 3, 1],
    ]);
  });

  test('an executor that stops fails what it runs, which is retried on another', async () => {
    const { ring, url, job, allEnded, registered } = await networkStage();
    const { handler, begun } = heldHandler();
    const first = await remoteExecutor({ ring: url, handlers: { work: handler } });
    await registered(1);
    const { id } = await job({ retries: 1 });
    const run = await ring.jobs.trigger(id);
    await begun(run.id);
    const second = await remoteExecutor({ ring: url, handlers: { work: () => 'here' } });
    await registered(2);
    await first.stop();
    await registered(1);
    expect(await allEnded(run.fireId, 2)).toMatchObject([
      { state: 'failed', address: first.address, message: 'The executor stopped' },
      { state: 'succeeded', address: second.address, message: 'here' },
    ]);
  });

  test('an explicit address is kept by the retries', async () => {
    const { ring, url, job, allEnded, registered } = await networkStage();
    const executors = [];
    for (let number = 0; number < 2; number++) {
      executors.push(
        await remoteExecutor({
          ring: url,
          handlers: {
            work: ({ attempt }) => {
              if (attempt === 1) throw new Error('once more');
            },
          },
        }),
      );
    }
    await registered(2);
    const { id } = await job({ retries: 1, route: 'FIRST' });
    for (const { address } of executors) {
      const run = await ring.jobs.trigger(id, { address });
      expect(await allEnded(run.fireId, 2)).toMatchObject([{ address }, { address, state: 'succeeded' }]);
    }
  });
});
