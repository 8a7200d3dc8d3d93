import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type HoraeDatabase, openDatabase } from '@horae/clock-store/storage';
import { startTestPostgres } from '@horae/clock-store/testing';
import { createExecutor, startTimeRing } from '@horae/time-ring';
import { defineBench } from '@horae-tooling/bench';
import { sql } from 'kysely';

/** `HORAE_LONG=1` stores 10 million on PostgreSQL, which takes some minutes before the first round. */
const isLong = process.env.HORAE_LONG !== undefined;
const FEW = 1;
const SOME = 100_000;
const MANY = { postgres: isLong ? 10_000_000 : 1_000_000, sqlite: 1_000_000 };
const JOBS = 5_000;
const BATCH = 1_000;

interface Stage {
  readonly database: HoraeDatabase;
  close(): Promise<void>;
}

async function openStage(dialect: keyof typeof MANY): Promise<Stage> {
  if (dialect === 'postgres') {
    const server = await startTestPostgres();
    const database = await openDatabase(await server.freshDatabase());
    const close = async () => {
      await database.close();
      await server.stop();
    };
    return { database, close };
  }
  const folder = mkdtempSync(join(tmpdir(), 'horae-bench-'));
  const database = await openDatabase(`sqlite:${join(folder, 'ring.db')}`);
  const close = async () => {
    await database.close();
    rmSync(folder, { recursive: true });
  };
  return { database, close };
}

/** Runs that are over, of a hundred jobs, as a schedule leaves them. */
async function writeHistory({ dialect, kysely }: HoraeDatabase, rows: number): Promise<void> {
  const numbers =
    dialect === 'postgres'
      ? sql`select n from generate_series(1, ${sql.lit(rows)}) as g(n)`
      : sql`with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < ${sql.lit(rows)}) select n from numbers`;
  await sql`
    insert into horae_ring_runs (job_id, schedule_time, fired_at, started_at, ended_at, code, key_job, key_at, attempt,
      shard_index, shard_total, fence, bucket, trigger_type, state, address, ready_at)
    select n % 100 + 1000, 1600000000000 + n * 10, 1, 1, 1900000000000, 200, n % 100 + 1000, 1600000000000 + n * 10, 1, 0, 1,
      1, 0, 'schedule', 'succeeded', 'a', 1 from (${numbers}) as numbers`.execute(kysely);
  // A fresh database has no statistics.
  if (rows > FEW) await sql.raw('analyze horae_ring_runs').execute(kysely);
}

/** Asked for in batches by the node that does them, to the last recorded result, per run. */
async function askAndDo({ database }: Stage): Promise<number> {
  const ring = await startTimeRing({ database });
  await createExecutor({ ring, handlers: { work: () => {} } });
  const job = { key: 'work', name: 'work', handler: 'work', schedule: { kind: 'none' } } as const;
  await ring.jobs.put({ ...job, block: 'CONCURRENT', concurrency: JOBS });
  let left = JOBS;
  const done = new Promise<void>((resolve) => {
    ring.events.on('run-succeeded', () => {
      left -= 1;
      if (left === 0) resolve();
    });
  });
  const began = process.hrtime.bigint();
  for (let i = 0; i < JOBS; i += BATCH) {
    await ring.jobs.triggerMany(
      'work',
      Array.from({ length: BATCH }, () => ({})),
    );
  }
  await done;
  const took = Number(process.hrtime.bigint() - began) / JOBS;
  await ring.stop();
  return took;
}

function after(dialect: keyof typeof MANY, rows: number) {
  return {
    async setup(): Promise<Stage> {
      const stage = await openStage(dialect);
      await (await startTimeRing({ database: stage.database })).stop();
      await writeHistory(stage.database, rows);
      return stage;
    },
    sample: askAndDo,
    teardown: (stage: Stage) => stage.close(),
  };
}

const named = (rows: number) => `after ${rows.toLocaleString('en')} runs`;

export default (['postgres', 'sqlite'] as const).map((dialect) =>
  defineBench({
    name: `time-ring/history/${dialect}`,
    about: `${JOBS} no-op runs asked for in batches of ${BATCH}, claimed, dispatched and recorded, beside a history of runs that are over.`,
    ours: named(MANY[dialect]),
    contenders: {
      [named(MANY[dialect])]: after(dialect, MANY[dialect]),
      [named(SOME)]: after(dialect, SOME),
      [named(FEW)]: after(dialect, FEW),
    },
    wanted: [{ against: named(FEW), ratioAtLeast: 0.8 }],
  }),
);
