import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type HoraeDatabase, openDatabase } from '@horae/clock-store/storage';
import { bucketOf, type JobStore, sqlJobStore } from '@horae/time-ring';
import { defineBench } from '@horae-tooling/bench';
import Database from 'better-sqlite3';
import { scheduled } from '../../src/testing/conformance-stage.js';

const BATCH = 6_000;
const OWNER = '0b0f6b1e-3f0e-4c55-9c2e-6d2f5a1c7e90';
const T = 1_800_000_000_000;
const buckets = Array.from({ length: BATCH }, (_, i) => bucketOf(i + 1));

interface Stage {
  folder: string;
  database: HoraeDatabase;
  store: JobStore;
  /** The bare driver on tables of the same shape. */
  bare: Database.Database;
  rounds: number;
}

async function open(): Promise<Stage> {
  const folder = mkdtempSync(join(tmpdir(), 'horae-bench-'));
  const database = await openDatabase(`sqlite:${join(folder, 'ring.db')}`);
  const store = await sqlJobStore(database);
  const bare = new Database(join(folder, 'ring.db'));
  bare.pragma('synchronous = full');
  return { folder, database, store, bare, rounds: 0 };
}

async function close({ folder, database, bare }: Stage): Promise<void> {
  bare.close();
  await database.close();
  rmSync(folder, { recursive: true, force: true });
}

/** One occurrence of each of `BATCH` jobs: claimed, fired, ended, each in a transaction of its own. Nanoseconds a run. */
async function throughStore(stage: Stage): Promise<number> {
  const { store } = stage;
  stage.rounds += 1;
  const at = T + stage.rounds * 1_000;
  const runs = buckets.map((_, i) => scheduled(i + 1, at, { owner: OWNER }));
  const start = process.hrtime.bigint();
  const ids = (await store.transaction((trx) => trx.insertRuns(runs))) as number[];
  const claims = { owner: OWNER, fence: 1 };
  const fired = await store.transaction((trx) =>
    trx.dispatchRuns(
      ids.map((id) => ({
        id,
        ...claims,
        state: 'running',
        address: 'local',
        shardTotal: 1,
        firedAt: at,
        startedAt: at,
      })),
    ),
  );
  const ended = await store.transaction((trx) =>
    trx.endRuns(
      ids.map((id) => ({
        id,
        ...claims,
        state: 'succeeded',
        code: 200,
        message: null,
        endedAt: at + 5,
        firedAt: null,
        address: null,
      })),
    ),
  );
  const took = Number(process.hrtime.bigint() - start);
  if (fired.size !== BATCH || ended.size !== BATCH) throw new Error('Not every run was fired and ended');
  return took / BATCH;
}

/** The same writes by the driver alone: a prepared statement a row, no JSON, nothing returned but the ids. */
async function throughDriver(stage: Stage): Promise<number> {
  const { bare } = stage;
  stage.rounds += 1;
  const at = T + stage.rounds * 1_000;
  const insert =
    bare.prepare(`insert into horae_ring_runs (job_id, key_job, key_at, schedule_time, attempt, shard_index,
    shard_total, fence, bucket, trigger_type, state, owner) values (?, ?, ?, ?, 1, 0, 1, 1, ?, 'schedule', 'pending', ?)
    on conflict do nothing`);
  const fire =
    bare.prepare(`update horae_ring_runs set state = 'running', address = 'local', shard_total = 1, fired_at = ?,
    started_at = ? where id = ? and +owner = ? and fence = 1 and state = 'pending'`);
  const end = bare.prepare(`update horae_ring_runs set state = 'succeeded', code = 200, ended_at = ?, owner = null
    where id = ? and +owner = ? and fence = 1`);
  const ids: (number | bigint)[] = [];
  const start = process.hrtime.bigint();
  bare.transaction(() => {
    for (let i = 0; i < BATCH; i++) ids.push(insert.run(i + 1, i + 1, at, at, buckets[i], OWNER).lastInsertRowid);
  })();
  bare.transaction(() => {
    for (const id of ids) fire.run(at, at, id, OWNER);
  })();
  bare.transaction(() => {
    for (const id of ids) end.run(at + 5, id, OWNER);
  })();
  return Number(process.hrtime.bigint() - start) / BATCH;
}

export default [
  defineBench({
    name: 'time-ring/store-sqlite',
    about: 'One run claimed, fired and completed in a SQLite file, synchronous=FULL, 6,000 a transaction.',
    ours: 'time-ring',
    contenders: {
      'time-ring': { setup: open, sample: throughStore, teardown: close },
      'better-sqlite3 alone, row by row': { setup: open, sample: throughDriver, teardown: close },
    },
    wanted: [{ atMost: 20_000 }],
  }),
];
