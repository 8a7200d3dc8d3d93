import { startSilentProxy, startTestMariadb, startTestPostgres, type TestServer } from '@horae/clock-store/testing';
import { afterAll, beforeAll, describe, expect, type TestContext, test } from 'vitest';
import { expectExactlyDue, expectOneEndEach } from '../support/exactly-due.js';
import { readRuns, writeJobs } from '../support/fault-databases.js';
import { clock, type NodeMessage, type NodeProcess, startNodeProcess } from '../support/node-process.js';

/** `HORAE_FROZEN=1` freezes a node at each of the moments, instead of the one that holds most. */
const isFull = process.env.HORAE_FROZEN === '1';
const LEASE_MS = 3_000;
/** What is promised, and what a machine adds that is busy with other tests. */
const GOES_ON_MS = LEASE_MS + 2_000;
const TOLERANCE_MS = 1_500;
const EVERY_MS = 1_000;
const JOBS = 20;
const everySecond = {
  name: 'tick',
  handler: 'work',
  schedule: { kind: 'fix-rate', everyMs: EVERY_MS },
  block: 'CONCURRENT',
  concurrency: 50,
} as const;

const SCOPE = 'horae_ring_buckets where owner|select 1 from \\?';
const HOLDS_MOST = 'it has advanced the jobs and not committed';
const moments = [
  { story: 'it has read nothing', kind: 'step', text: 'claim' },
  { story: 'it has begun its transaction', kind: 'begun' },
  { story: 'it waits for its lock', kind: 'sent', text: SCOPE },
  { story: 'it has its lock', kind: 'answered', text: SCOPE },
  { story: 'it has written its heartbeat', kind: 'answered', text: 'update horae_ring_nodes' },
  { story: 'it is about to read the due jobs', kind: 'before', text: 'from horae_ring_jobs where' },
  { story: 'it holds the due jobs', kind: 'answered', text: 'select \\* from horae_ring_jobs where' },
  { story: 'it has inserted runs', kind: 'answered', text: 'insert into horae_ring_runs' },
  { story: HOLDS_MOST, kind: 'answered', text: 'update horae_ring_jobs' },
  { story: 'its commit is under way', kind: 'commit' },
  { story: 'it has committed and pushed nothing', kind: 'step', text: 'claimed' },
  { story: 'it is handing out runs', kind: 'answered', text: 'with changed as|straight_join horae_ring_runs' },
] as const;

const isPass = ({ event }: NodeMessage) => event === 'pass-completed';

async function startReady(
  { onTestFinished }: TestContext,
  options: { database: string; claim: string; nodeId: string; moment?: object },
): Promise<NodeProcess> {
  const node = startNodeProcess(options, 'frozen-node.mjs', onTestFinished);
  await node.until(({ event }) => event === 'ready');
  return node;
}

/** Two nodes that share the jobs, the first of them on its own way to the database. */
async function twoNodes(
  context: TestContext,
  database: string,
  claim: string,
  { way = database, moment = {} }: { way?: string; moment?: object },
) {
  await writeJobs(database, []);
  const other = await startReady(context, { database, claim, nodeId: 'other' });
  const victim = await startReady(context, { database: way, claim, nodeId: 'victim', moment });
  const isShared = ({ event, buckets }: NodeMessage) =>
    event === 'pass-completed' && (claim === 'lock-row' || buckets === 32);
  await Promise.all([other.until(isShared), victim.until(isShared)]);
  const jobs = await writeJobs(
    database,
    Array.from({ length: JOBS }, () => everySecond),
  );
  await clock.sleepFor(2_000);
  return { other, victim, jobs };
}

/** The longest time without a pass of a node since `fromMs`, up to now. */
function longestGap(node: NodeProcess, fromMs: number): number {
  const passes = node.told.filter(isPass).map(({ heardMs }) => heardMs!);
  const ends = [...passes.filter((at) => at > fromMs), clock.monotonicMs()];
  return Math.max(...ends.map((at, i) => at - (i === 0 ? fromMs : ends[i - 1]!)));
}

/** The other node has gone on: its passes, and the runs of all jobs, also of those that the lost node had claimed. */
async function expectGoesOn(database: string, other: NodeProcess, lostMs: number, lostAt: number): Promise<void> {
  const gapMs = longestGap(other, lostMs);
  const { rows, now } = await readRuns(database);
  const due = rows.filter(({ scheduleTime }) => scheduleTime! >= lostAt - 1_000 && scheduleTime! < now - GOES_ON_MS);
  const lateMs = Math.max(...due.map(({ startedAt, scheduleTime }) => (startedAt ?? now) - scheduleTime!));
  console.info(`no pass for ${Math.round(gapMs)} ms at most, runs at most ${Math.round(lateMs)} ms late`);
  expect(gapMs).toBeLessThan(GOES_ON_MS + TOLERANCE_MS);
  expect(due.length).toBeGreaterThan(JOBS);
  expect(lateMs).toBeLessThan(GOES_ON_MS + TOLERANCE_MS);
}

describe.each([
  { name: 'PostgreSQL', start: startTestPostgres as () => Promise<TestServer | 'unavailable'> },
  { name: 'MariaDB', start: startTestMariadb },
])('on $name', ({ start }) => {
  let server: TestServer | 'unavailable';
  beforeAll(async () => {
    server = await start();
  });
  afterAll(async () => {
    if (server !== 'unavailable') await server.stop();
  });

  const fresh = async (skip: (note: string) => void) => {
    if (server !== 'unavailable') return server.freshDatabase();
    skip('MariaDB is not installed here; HORAE_REQUIRE_MARIADB=1 makes this a failure');
    return '';
  };

  describe.each([{ claim: 'lock-row' }, { claim: 'buckets' }])('by $claim', ({ claim }) => {
    test.concurrent.for(moments.filter(({ story }) => isFull || story === HOLDS_MOST))(
      'a node is frozen when $story: the other goes on within a lease and two seconds, nothing is lost or doubled',
      async (moment, context) => {
        const database = await fresh(context.skip);
        const { other, victim, jobs } = await twoNodes(context, database, claim, { moment });
        victim.child.send('freeze');
        const { heardMs } = await victim.until(({ event }) => event === 'freezing');
        const { now: lostAt } = await readRuns(database);
        await clock.sleepFor(GOES_ON_MS + 5_000);
        await expectGoesOn(database, other, heardMs!, lostAt);
        const passes = victim.told.filter(isPass).length;
        victim.child.kill('SIGCONT');
        await victim.until((message) => isPass(message) && victim.told.filter(isPass).length > passes + 1);
        await clock.sleepFor(4_000);
        await Promise.all([victim.kill(), other.kill()]);
        const { rows, now } = await readRuns(database);
        expectExactlyDue(jobs, rows, EVERY_MS, now - 3_000);
        expectOneEndEach([victim, other], rows);
      },
    );

    test.concurrent('a flow is dropped: the other goes on, the node says so, and its stop ends at the deadline', async (context) => {
      const database = await fresh(context.skip);
      await using way = await startSilentProxy(database);
      const { other, victim } = await twoNodes(context, database, claim, { way: way.url });
      const { now: lostAt } = await readRuns(database);
      const lostMs = clock.monotonicMs();
      way.silence();
      await clock.sleepFor(GOES_ON_MS + 5_000);
      await expectGoesOn(database, other, lostMs, lostAt);
      const said = victim.told.filter(
        ({ heardMs, event, level }) => heardMs! > lostMs && event === 'log' && level === 'error',
      );
      expect(said.length).toBeGreaterThan(0);
      victim.child.send('stop');
      const { tookMs } = await victim.until(({ event }) => event === 'stopped');
      expect(tookMs).toBeLessThan(2_000 + 1_500 + TOLERANCE_MS);
    });

    test.concurrent('a proxy loses its backend and gets it back: the node makes passes again', async (context) => {
      const database = await fresh(context.skip);
      await using way = await startSilentProxy(database);
      const { other, victim } = await twoNodes(context, database, claim, { way: way.url });
      const lostMs = clock.monotonicMs();
      const { now: lostAt } = await readRuns(database);
      way.silence();
      await victim.until(({ event, heardMs }) => event === 'pass-failed' && heardMs! > lostMs);
      // What it tries now leads nowhere: it is accepted, and nobody answers.
      await clock.sleepFor(2_000);
      await expectGoesOn(database, other, lostMs, lostAt);
      way.restore();
      const back = clock.monotonicMs();
      await victim.until((message) => isPass(message) && message.heardMs! > back);
    });
  });
});
