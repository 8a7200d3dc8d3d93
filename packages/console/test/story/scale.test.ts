import { systemClock } from '@horae/clock-store';
import { openDatabase } from '@horae/clock-store/storage';
import { startTestPostgres } from '@horae/clock-store/testing';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Client, consoleStage, userWith } from './stage.js';

/**
 * `HORAE_CONSOLE_SCALE=1` makes 10,000 jobs and `HORAE_CONSOLE_RUNS` (10) million runs, and wants every list within 100 ms, and a
 * report that nobody has asked for yet within a second. Without it
 * the same lists are asked for on a small history, so that none of them breaks unnoticed.
 */
const isTimed = process.env.HORAE_CONSOLE_SCALE === '1';
const JOBS = isTimed ? 10_000 : 200;
const RUNS = isTimed ? Number(process.env.HORAE_CONSOLE_RUNS ?? 10) * 1_000_000 : 20_000;
const MAX_MS = 100;
const MAX_FIRST_MS = 1_000;
const HOUR = 3_600_000;
const MONTH = 30 * 24 * HOUR;
const AGAIN = 5;
const clock = systemClock();

let server: Awaited<ReturnType<typeof startTestPostgres>>;
beforeAll(async () => {
  server = await startTestPostgres();
}, 120_000);
afterAll(() => server.stop());

/** A month of runs, the newest just now: most succeeded, one in a thousand failed, a few waiting. */
async function writeRuns(url: string, now: number): Promise<void> {
  const database = await openDatabase(url, { statementTimeoutMs: 3_600_000 });
  const at = sql.raw(`(${now - MONTH} + n * ${MONTH / RUNS}::double precision)`);
  await sql`
    insert into horae_ring_runs (job_id, schedule_time, fired_at, started_at, ended_at, code, key_job, key_at, attempt, shard_index,
      shard_total, fence, bucket, trigger_type, state, owner, address, ready_at, message)
    select n % ${sql.lit(JOBS)} + 1, floor(${at}), ${at}, ${at}, ${at} + n % 900, 200,
      case when n % 500 = 0 then null else n % ${sql.lit(JOBS)} + 1 end, case when n % 500 = 0 then null else floor(${at}) end,
      1, 0, 1, 1, 0, case when n % 500 = 0 then 'manual' else 'schedule' end,
      case when n % 1000 = 7 then 'failed' when n % 5000 = 9 then 'killed' when n % 3000 = 5 then 'skipped' else 'succeeded' end,
      null, 'http://10.0.0.' || (n % 50), ${at}, case when n % 1000 = 7 then 'no route to harbour ' || n else 'done' end
    from generate_series(1, ${sql.lit(RUNS)}) as g(n)`.execute(database.kysely);
  await sql`vacuum analyze horae_ring_runs`.execute(database.kysely);
  await database.close();
}

interface Question {
  readonly story: string;
  readonly path: string;
  /** How many entries the list must have; undefined: it is no list. */
  readonly least?: number;
}

function questions(now: number): readonly Question[] {
  const to = Math.ceil(now / HOUR) * HOUR;
  const runs = (story: string, query: string, least = 1) => ({ story, path: `/admin/runs?limit=50&${query}`, least });
  const jobs = (story: string, query: string, least = 1) => ({ story, path: `/admin/jobs?limit=50&${query}`, least });
  return [
    runs('the newest runs', '', 50),
    runs('the next page of runs', `cursor=${RUNS - 100}`, 50),
    runs('a page in the middle of the history', `cursor=${Math.floor(RUNS / 2)}`, 50),
    ...['failed', 'killed', 'skipped', 'succeeded'].map((state) => runs(`runs that ${state}`, `state=${state}`)),
    ...['running', 'queued', 'pending'].map((state) => runs(`runs that are ${state}`, `state=${state}`, 0)),
    runs('runs by hand', 'triggerType=manual', 20),
    runs('runs by schedule', 'triggerType=schedule', 50),
    runs('runs of one job', 'jobId=7', 50),
    runs('failed runs of one job', 'jobId=8&state=failed', 0),
    runs('runs of an hour', `from=${now - 2 * HOUR}&to=${now - HOUR}`),
    runs('failed runs of a day', `from=${now - 24 * HOUR}&state=failed`, isTimed ? 1 : 0),
    runs('runs of one fire', `fireId=${RUNS - 5}`),
    runs('runs by the name of a job', 'text=job%20number%2077'),
    runs('runs by a common message', 'text=harbour'),
    runs('runs by a text that none has', 'text=nowhere%20to%20be%20found', 0),
    runs('runs of one group', 'group=group-3', 50),
    runs('runs of one executor', 'executor=http://10.0.0.7', 50),
    jobs('the first jobs', '', 50),
    jobs('the last jobs', `cursor=${JOBS - 20}`, 20),
    jobs('jobs of a group', 'executorGroup=group-3', 10),
    jobs('jobs that are stopped', 'state=STOPPED', 50),
    jobs('jobs by text', 'text=number%2077'),
    jobs('jobs by a label', 'text=team=t9'),
    jobs('jobs by a text that none has', 'text=nowhere', 0),
    jobs('jobs with alerts', 'hasAlerts=true'),
    ...[1, JOBS - 49].map((first) => ({
      story: `recent runs of 50 jobs from ${first} on`,
      path: `/admin/recent-runs?jobIds=${Array.from({ length: 50 }, (_, n) => first + n).join(',')}`,
      least: 1,
    })),
    { story: 'flows', path: '/admin/flows?limit=50', least: 0 },
    { story: 'one run', path: `/admin/runs/${RUNS - 5}` },
    { story: 'the log of a run', path: `/admin/runs/${RUNS - 5}/log` },
    { story: 'one job', path: '/admin/jobs/7' },
    { story: 'executors', path: '/admin/executors', least: 1 },
    { story: 'groups', path: '/admin/groups', least: 1 },
    { story: 'messages of alerts', path: '/admin/alerts/deliveries', least: 0 },
    { story: 'the last day by hour', path: `/admin/report?from=${to - 24 * HOUR}&to=${to}` },
    { story: 'the last month by hour', path: `/admin/report?from=${to - MONTH}&to=${to}&figures=false` },
  ];
}

interface Measured {
  readonly story: string;
  /** The median, and the first time. */
  readonly ms: number;
  readonly firstMs: number;
}

async function measure(client: Client, { story, path, least }: Question): Promise<Measured> {
  const times: number[] = [];
  for (let again = 0; again < (isTimed ? AGAIN : 1); again++) {
    const began = clock.monotonicMs();
    const { status, body } = await client.ask('GET', path);
    times.push(clock.monotonicMs() - began);
    expect({ story, status, body: status === 200 ? null : body }).toEqual({ story, status: 200, body: null });
    const list = Object.values(body).find((value) => Array.isArray(value)) as unknown[];
    if (least !== undefined) expect({ story, isLong: list.length >= least }).toEqual({ story, isLong: true });
  }
  const firstMs = times[0]!;
  times.sort((a, b) => a - b);
  return { story, ms: times[Math.floor(times.length / 2)]!, firstMs };
}

test(`every list answers, with ${JOBS} jobs and ${RUNS} runs`, { timeout: 3_600_000 }, async () => {
  const url = await server.freshDatabase();
  const stage = await consoleStage({ database: url });
  const admin = await stage.firstAdmin();
  const jobs = Array.from({ length: JOBS }, (_, n) => ({
    ...{ key: `job-${n}`, name: `job number ${n}`, handler: 'echo', schedule: { kind: 'none' } as const },
    ...{ executorGroup: `group-${n % 20}`, labels: { team: `t${n % 50}` }, owner: `owner ${n % 7}` },
    ...(n % 100 === 0 ? { alerts: [{ on: 'fire-failed', channel: 'ops' } as const] } : {}),
  }));
  await stage.ring.jobs.sync(jobs);
  const now = clock.now();
  await writeRuns(url, now);
  const limited = await userWith(stage, admin, { name: 'vera', role: 'viewer', groups: ['group-3'] });
  const several = await userWith(stage, admin, { name: 'two', role: 'viewer', groups: ['group-3', 'group-4'] });
  const found: Measured[] = [];
  for (const question of questions(now)) found.push(await measure(admin, question));
  for (const [who, client] of [
    ['of one group', limited],
    ['of two groups', several],
  ] as const)
    for (const { path, story } of questions(now).filter((one) =>
      /newest|failed|first jobs|jobs by text|day by|recent runs|flows/.test(one.story),
    ))
      found.push(await measure(client, { path, story: `${story}, for a viewer ${who}` }));
  if (!isTimed) return;
  for (const { story, ms, firstMs } of found)
    console.info(`${ms.toFixed(1).padStart(8)} ms, first ${firstMs.toFixed(0).padStart(6)} ms  ${story}`);
  expect(found.filter(({ ms }) => ms > MAX_MS)).toEqual([]);
  // The month is counted when it is asked for first, and never again.
  const isLate = ({ story, firstMs }: Measured) => firstMs > MAX_FIRST_MS && !story.startsWith('the last day by hour');
  expect(found.filter(isLate)).toEqual([]);
});
