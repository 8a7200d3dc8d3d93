import { expect, onTestFinished, test } from 'vitest';
import { startTimeRing } from '../../src/index.js';
import { networkPlace, onEveryDatabase } from '../support/network-databases.js';

async function ringWithGroups() {
  const ring = await startTimeRing(networkPlace());
  onTestFinished(() => ring.stop({ deadlineMs: 0 }));
  for (const key of ['blue', 'red'])
    await ring.jobs.put({ key, name: key, handler: key, executorGroup: key, schedule: { kind: 'none' } });
  const start = async (...jobs: readonly string[]) => {
    const steps = Object.fromEntries(jobs.map((job, i) => [`s${i}`, { job }]));
    return (await ring.flows.start({ name: jobs.join(' and '), steps })).id;
  };
  return { ring, start };
}

onEveryDatabase(() => {
  test('a flow is one of some groups when all its jobs are, and no longer when one of them moved away or is gone', async () => {
    const { ring, start } = await ringWithGroups();
    const own = await start('blue', 'blue');
    const mixed = await start('blue', 'red');
    const names = async (groups: readonly string[]) =>
      (await ring.flows.list({ groups })).flows.map(({ name }) => name);
    expect(await names(['blue'])).toEqual(['blue and blue']);
    expect(await names(['red', 'blue'])).toEqual(['blue and red', 'blue and blue']);
    expect(await names([])).toEqual([]);
    expect(await ring.flows.get(own, { groups: ['blue'] })).toMatchObject({ id: own });
    expect(await ring.flows.get(mixed, { groups: ['blue'] })).toBeNull();
    expect(await ring.flows.get(mixed)).toMatchObject({ id: mixed });
    await ring.jobs.update('red', { executorGroup: 'blue' });
    expect(await names(['blue'])).toEqual(['blue and red', 'blue and blue']);
    await ring.jobs.remove('red');
    expect(await names(['blue', 'red'])).toEqual(['blue and blue']);
  });

  test('pages of some groups have every flow once, however many others lie between', async () => {
    const { ring, start } = await ringWithGroups();
    const own: number[] = [];
    for (let i = 0; i < 130; i++) {
      const id = await start(i % 26 === 0 ? 'blue' : 'red');
      if (i % 26 === 0) own.unshift(id);
    }
    const found: number[] = [];
    let cursor: string | null = null;
    do {
      const page: Awaited<ReturnType<typeof ring.flows.list>> = await ring.flows.list({
        ...{ groups: ['blue'], limit: 2 },
        ...(cursor === null ? {} : { cursor }),
      });
      found.push(...page.flows.map(({ id }) => id));
      cursor = page.cursor;
    } while (cursor !== null);
    expect(found).toEqual(own);
  });

  test('a flow with a job outside of the groups is not started: the job is as unknown as one that is not there', async () => {
    const { ring } = await ringWithGroups();
    const steps = { a: { job: 'blue' }, b: { job: 'red', after: ['a'] } };
    await expect(ring.flows.start({ name: 'f', steps }, { groups: ['blue'] })).rejects.toMatchObject({
      code: 'unknown-job',
      details: { field: 'steps.b.job', value: 'red' },
    });
    expect((await ring.flows.list()).flows).toEqual([]);
    await ring.flows.start({ name: 'f', steps }, { groups: ['blue', 'red'] });
  });
}, ['lock-row']);
