import { startTestGalera } from '@horae/clock-store/testing';
import { expect, onTestFinished, test } from 'vitest';
import { createExecutor, startTimeRing } from '../../src/index.js';
import { everySecond, expectNothingLost, longestGapMs, startRole } from '../support/deployment.js';
import { readRuns, writeJobs } from '../support/fault-databases.js';
import {
  killedGaleraMember,
  type Outage,
  promotedBehindHaproxy,
  promotedStandby,
  restartedPgbouncer,
} from '../support/high-availability.js';
import { eventually } from '../support/network-stage.js';
import { clock } from '../support/node-process.js';

/** `HORAE_HA=1` also tries PgBouncer, HAProxy and Galera, which have to be installed, in both claim modes and under more load. */
const isFull = process.env.HORAE_HA === '1';
const JOBS = isFull ? 100 : 10;
const BROADCASTS = 150;

const outages: readonly { story: string; start(): Promise<Outage | 'unavailable'>; isShort?: true }[] = [
  { story: 'a synchronous standby is promoted, both hosts in the URL', start: promotedStandby, isShort: true },
  { story: 'a synchronous standby is promoted behind HAProxy', start: promotedBehindHaproxy },
  { story: 'PgBouncer in transaction mode is killed and comes back', start: restartedPgbouncer },
  { story: 'one of three Galera members is killed, a node on each', start: killedGaleraMember },
];
const cases = outages
  .filter(({ isShort }) => isFull || isShort)
  .flatMap((outage) => (isFull ? ['lock-row', 'buckets'] : ['lock-row']).map((claim) => ({ ...outage, claim })));

test.each(cases)(
  '$claim: $story: nothing is lost, nothing is done twice',
  { timeout: 240_000 },
  async ({ story, start, claim }) => {
    const outage = await start();
    if (outage === 'unavailable')
      throw new Error('HORAE_HA=1 needs mariadb-server, galera-4, rsync, pgbouncer and haproxy');
    onTestFinished(() => outage.stop());
    await writeJobs(outage.way, []);
    const nodes = await Promise.all(
      outage.ways.map((database, i) => startRole({ name: `node-${i}`, handlers: ['work'] }, { database, claim })),
    );
    const jobs = await writeJobs(
      outage.way,
      Array.from({ length: JOBS }, () => everySecond('work')),
    );
    await clock.sleepFor(isFull ? 10_000 : 3_000);
    const struckMs = clock.monotonicMs();
    await outage.strike();
    const goodMs = clock.monotonicMs();
    await eventually(() =>
      expect(
        nodes.some(({ told }) => told.some(({ event, heardMs }) => event === 'pass-completed' && heardMs! > goodMs)),
      ).toBe(true),
    );
    await clock.sleepFor(isFull ? 20_000 : 3_000);
    const { now: until } = await readRuns(outage.way);
    await eventually(async () => {
      const open = (await readRuns(outage.way)).rows.filter(({ endedAt }) => endedAt === null);
      expect(open.filter(({ scheduleTime }) => scheduleTime! <= until)).toEqual([]);
    });
    const gapMs = longestGapMs(nodes, struckMs);
    await Promise.all(nodes.map((node) => node.kill()));
    const { rows } = await readRuns(outage.way);
    const seen = expectNothingLost(jobs, rows, nodes, until);
    const said = new Set(
      nodes.flatMap(({ told }) => told.filter(({ event }) => event === 'log')).map(({ reason }) => reason),
    );
    console.info(
      `${claim}: ${story}: servers away for ${Math.round(goodMs - struckMs)} ms, no pass for ${gapMs} ms, ${seen.runs} runs, late by ${seen.p50}/${seen.p99}/${seen.most} ms (p50/p99/most); said: ${[...said].join(' | ')}`,
    );
  },
);

/** Only with `HORAE_HA=1`: a cluster takes half a minute to start. */
const clusterCases = isFull ? (['lock-row', 'buckets'] as const) : [];
for (const claim of clusterCases) {
  test(`${claim}: shards that end on different Galera members trigger their children once`, {
    timeout: 240_000,
  }, async () => {
    const cluster = await startTestGalera();
    if (cluster === 'unavailable') throw new Error('HORAE_HA=1 needs mariadb-server, galera-4 and rsync');
    onTestFinished(() => cluster.stop());
    const rings = await Promise.all(
      (await cluster.freshDatabase()).map((database, i) => startTimeRing({ database, claim, nodeId: `member-${i}` })),
    );
    for (const ring of rings) onTestFinished(() => ring.stop({ deadlineMs: 0 }));
    for (const [i, ring] of rings.entries())
      await createExecutor({ ring, address: `at-${i}`, handlers: { work: () => {} } });
    const none = { kind: 'none' } as const;
    const child = await rings[0]!.jobs.add({ name: 'child', handler: 'work', schedule: none });
    const broadcast = { route: 'SHARDING_BROADCAST', block: 'CONCURRENT', concurrency: 50 } as const;
    const parent = await rings[0]!.jobs.add({
      name: 'parent',
      handler: 'work',
      schedule: none,
      children: [child.id],
      ...broadcast,
    });
    await eventually(async () => expect(await rings[0]!.executors.list()).toHaveLength(3));
    const fires: number[] = [];
    for (let i = 0; i < BROADCASTS; i++) fires.push((await rings[i % 3]!.jobs.trigger(parent.id)).fireId);
    const all = async (jobId: number) => (await rings[0]!.runs.list({ jobId, limit: 1_000 })).runs;
    await eventually(async () => expect((await all(parent.id)).every(({ state }) => state === 'succeeded')).toBe(true));
    await eventually(async () => expect(await all(child.id)).toHaveLength(BROADCASTS));
    await eventually(async () => expect((await all(child.id)).every(({ state }) => state === 'succeeded')).toBe(true));
    expect(await all(parent.id)).toHaveLength(3 * BROADCASTS);
  });
}
