import { startTestGalera } from '@horae/clock-store/testing';
import { expect, onTestFinished, test } from 'vitest';
import { createExecutor, startTimeRing } from '../../src/index.js';
import { eventually } from '../support/network-stage.js';

const FLOWS = 60;
const WIDE = 6;

test.for(['lock-row', 'buckets'] as const)(
  '%s: steps that end on different Galera members start what follows once',
  { timeout: 240_000 },
  async (claim, context) => {
    if (process.env.HORAE_HA !== '1')
      return context.skip('a cluster takes half a minute to start; HORAE_HA=1 tries it');
    const cluster = await startTestGalera();
    if (cluster === 'unavailable') throw new Error('HORAE_HA=1 needs mariadb-server, galera-4 and rsync');
    onTestFinished(() => cluster.stop());
    const rings = await Promise.all(
      (await cluster.freshDatabase()).map((database, i) => startTimeRing({ database, claim, nodeId: `member-${i}` })),
    );
    for (const ring of rings) onTestFinished(() => ring.stop({ deadlineMs: 0 }));
    for (const [i, ring] of rings.entries())
      await createExecutor({ ring, address: `at-${i}`, handlers: { work: () => 1 } });
    const many = { schedule: { kind: 'none' }, block: 'CONCURRENT', concurrency: 100, route: 'ROUND' } as const;
    for (const key of ['wide', 'join']) await rings[0]!.jobs.put({ key, name: key, handler: 'work', ...many });
    await eventually(async () => expect(await rings[0]!.executors.list()).toHaveLength(3));
    const names = Array.from({ length: WIDE }, (_, i) => `s${i}`);
    const steps = {
      ...Object.fromEntries(names.map((name) => [name, { job: 'wide' }])),
      join: { job: 'join', after: names, params: { from: names } },
    };
    const start = (i: number) => rings[i % 3]!.flows.start({ name: `flow ${i}`, steps });
    const flows = await Promise.all(Array.from({ length: FLOWS }, (_, i) => start(i)));
    for (const { id } of flows) expect(await rings[0]!.flows.wait(id)).toMatchObject({ state: 'succeeded' });
    const { runs } = await rings[0]!.runs.list({ jobId: 'join', limit: 1_000, include: ['params'] });
    const results = { from: Object.fromEntries(names.map((name) => [name, 1])) };
    expect(runs.map(({ params }) => params)).toEqual(Array.from({ length: FLOWS }, () => results));
  },
);
