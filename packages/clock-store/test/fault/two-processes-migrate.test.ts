import { join } from 'node:path';
import { openDatabase } from '@horae/clock-store/storage';
import { startTestMariadb, startTestPostgres } from '@horae/clock-store/testing';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../temporary-folder.js';
import { startWorker } from './worker-process.js';

const ROUNDS = 50;

/** Two processes migrate the same new database at the same moment, again and again. */
async function race(freshDatabase: (round: number) => Promise<string>): Promise<void> {
  const workers = [startWorker('migrate.mjs'), startWorker('migrate.mjs')];
  await Promise.all(workers.map((worker) => worker.receive()));
  for (let round = 0; round < ROUNDS; round++) {
    const url = await freshDatabase(round);
    for (const worker of workers) worker.send(url);
    const outcomes = await Promise.all(workers.map((worker) => worker.receive()));
    expect(outcomes.sort()).toEqual(['current', 'migrated']);
    const database = await openDatabase(url);
    const rows = await database.kysely.selectFrom('horae_ran').select('name').execute();
    expect(rows.map((row) => row.name)).toEqual(['one', 'two', 'three']);
    await database.close();
  }
}

test('two processes migrate one SQLite file at once, 50 times: never an error, never twice', async () => {
  const folder = await temporaryFolder();
  await race(async (round) => `sqlite:${join(folder, `${round}.db`)}`);
});

test('two processes migrate one PostgreSQL database at once, 50 times: never an error, never twice', async () => {
  const server = await startTestPostgres();
  onTestFinished(() => server.stop());
  await race(() => server.freshDatabase());
});

test('two processes migrate one MariaDB database at once, 50 times: never an error, never twice', async (context) => {
  const server = await startTestMariadb();
  if (server === 'unavailable')
    return context.skip('MariaDB is not installed here; HORAE_REQUIRE_MARIADB=1 makes this a failure');
  onTestFinished(() => server.stop());
  await race(() => server.freshDatabase());
});
