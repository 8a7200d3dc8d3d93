import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { isHoraeError } from '@horae/clock-store';
import { type HoraeDatabase, openDatabase } from '@horae/clock-store/storage';
import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../temporary-folder.js';
import { startWorker } from './worker-process.js';

async function openNotes(busyLimitMs?: number): Promise<{ database: HoraeDatabase; path: string }> {
  const path = join(await temporaryFolder(), 'horae.db');
  const database = await openDatabase(`sqlite:${path}`, { busyLimitMs });
  onTestFinished(() => database.close());
  await sql`create table horae_notes (text text not null)`.execute(database.kysely);
  return { database, path };
}

async function countTurnsUntil(work: Promise<unknown>): Promise<number> {
  let isOver = false;
  let turns = 0;
  const over = () => {
    isOver = true;
  };
  work.then(over, over);
  while (!isOver) {
    await turn();
    turns += 1;
  }
  return turns;
}

test('writes go through when another process has held the database for 5 s, and the event loop keeps turning', async () => {
  const { database, path } = await openNotes();
  const holder = startWorker('hold-write-lock.mjs', [path, '5000']);
  expect(await holder.receive()).toBe('held');
  const add = (text: string) => database.kysely.insertInto('horae_notes').values({ text });
  const writes = Promise.all([
    database.transaction((trx) => trx.insertInto('horae_notes').values({ text: 'immediate' }).execute(), {
      immediate: true,
    }),
    database.transaction((trx) => trx.insertInto('horae_notes').values({ text: 'deferred' }).execute()),
    add('alone').execute(),
  ]);
  expect(await countTurnsUntil(writes)).toBeGreaterThan(100);
  await writes;
  const rows = await database.kysely.selectFrom('horae_notes').select('text').execute();
  expect(rows.map((row) => row.text).sort()).toEqual(['alone', 'deferred', 'from the holder', 'immediate']);
});

test.each([
  { story: 'an immediate transaction', immediate: true },
  { story: 'a deferred transaction', immediate: false },
])('$story fails with the named error when the limit is reached first', async ({ immediate }) => {
  const { database, path } = await openNotes(300);
  const holder = startWorker('hold-write-lock.mjs', [path, '600000']);
  expect(await holder.receive()).toBe('held');
  const write = database.transaction((trx) => trx.insertInto('horae_notes').values({ text: 'late' }).execute(), {
    immediate,
  });
  const error = await write.catch((reason: unknown) => reason);
  expect(isHoraeError(error) && error.code).toBe('database-busy');
  expect(error).toMatchObject({ details: { url: `sqlite:${path}` } });
  const { attempts, waitedMs } = (error as { details: { attempts: number; waitedMs: number } }).details;
  expect(attempts).toBeGreaterThan(1);
  expect(waitedMs).toBeGreaterThan(100);
  expect((error as Error).message).toContain('busyLimitMs');
});

test('a single statement outside a transaction fails with the named error too', async () => {
  const { database, path } = await openNotes(200);
  const holder = startWorker('hold-write-lock.mjs', [path, '600000']);
  expect(await holder.receive()).toBe('held');
  const write = database.kysely.insertInto('horae_notes').values({ text: 'late' }).execute();
  await expect(write).rejects.toMatchObject({ code: 'database-busy' });
  // Readers are not in anybody's way in WAL mode.
  expect(await database.kysely.selectFrom('horae_notes').selectAll().execute()).toEqual([]);
});

test('opening goes through while another process writes', async () => {
  const { path } = await openNotes();
  const holder = startWorker('hold-write-lock.mjs', [path, '600000']);
  expect(await holder.receive()).toBe('held');
  const second = await openDatabase(`sqlite:${path}`, { busyLimitMs: 100 });
  await second.close();
});
