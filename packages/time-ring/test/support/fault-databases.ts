import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '@horae/clock-store/storage';
import { startTestMariadb, startTestPostgres } from '@horae/clock-store/testing';
import { onTestFinished } from 'vitest';
import { newRun } from '../../src/engine/node/active-run.js';
import type { Job, JobInput } from '../../src/index.js';
import { sqlJobStore } from '../../src/index.js';
import { type RunRow, UNOWNED } from '../../src/model/run.js';
import { parseJob } from '../../src/schedule/parse-job.js';
import { timetableOf } from '../../src/schedule/timetable.js';

/** The databases that several processes can share. */
export const faultDatabases = [
  { name: 'a SQLite file', open: sqliteFile },
  { name: 'PostgreSQL', open: () => serverDatabase(startTestPostgres) },
  { name: 'MariaDB', open: () => serverDatabase(startTestMariadb) },
];

async function sqliteFile(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'horae-ring-fault-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return `sqlite:${join(folder, 'ring.db')}`;
}

async function serverDatabase(start: typeof startTestMariadb): Promise<string | 'unavailable'> {
  const server = await start();
  if (server === 'unavailable') return server;
  onTestFinished(() => server.stop());
  return server.url;
}

/** Writes jobs, running from now on, without a node: nothing of theirs is fired before the first one starts. */
export async function writeJobs(url: string, inputs: readonly JobInput[]): Promise<Job[]> {
  await using database = await disposable(url);
  const store = await sqlJobStore(database.opened);
  const at = await database.opened.dbNow();
  return store.transaction(async (trx) => {
    const jobs: Job[] = [];
    for (const input of inputs) {
      const job = await trx.insertJob(parseJob(input), at);
      const nextAt = job.schedule.kind === 'none' ? null : timetableOf(job.schedule, 'UTC', at).next(at);
      jobs.push(nextAt === null ? job : { ...job, state: 'RUNNING', nextAt });
      await trx.putJob(jobs.at(-1)!);
    }
    return jobs;
  });
}

/** Every run there is, lowest id first, and the database's time. */
export async function readRuns(url: string): Promise<{ rows: readonly RunRow[]; now: number }> {
  await using database = await disposable(url);
  const store = await sqlJobStore(database.opened);
  const ids = (await store.runs({ limit: 1_000_000, beforeId: null })).map(({ id }) => id);
  const rows = await store.transaction((trx) => trx.lockRuns(ids));
  return { rows, now: await database.opened.dbNow() };
}

async function disposable(url: string) {
  const opened = await openDatabase(url);
  return { opened, [Symbol.asyncDispose]: () => opened.close() };
}

/** Triggers a job without a node: the runs are nobody's until a node's next pass. Their ids are given. */
export async function insertTrigger(url: string, job: Job, count: number): Promise<number[]> {
  await using database = await disposable(url);
  const store = await sqlJobStore(database.opened);
  const runs = Array.from({ length: count }, () =>
    newRun(job, UNOWNED, { triggerType: 'manual', scheduleTime: null, at: 0 }),
  );
  return store.transaction(async (trx) => (await trx.insertRuns(runs)).map((id) => id!));
}
