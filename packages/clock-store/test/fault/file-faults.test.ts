import { chmod, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openDatabase } from '@horae/clock-store/storage';
import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../temporary-folder.js';
import { startWorker } from './worker-process.js';

async function openingFails(
  path: string,
): Promise<{ code: string; message: string; details: Record<string, unknown> }> {
  return openDatabase(`sqlite:${path}`).then(
    () => expect.unreachable(`${path} was opened`),
    (error) => error,
  );
}

test('a text file is refused by name and left as it was', async () => {
  for (const text of ['hello\n', 'Dear diary, '.repeat(1_000), 'SQLite format 3\0 but then something else']) {
    const path = join(await temporaryFolder(), 'notes.txt');
    await writeFile(path, text);
    const error = await openingFails(path);
    expect(error.code).toBe('not-a-database');
    expect(error.message).toContain(path);
    expect(error.message).toContain('name another file');
    expect(await readFile(path, 'utf8')).toBe(text);
  }
});

test('a folder is refused by name, with a path that would work', async () => {
  const folder = await temporaryFolder();
  const error = await openingFails(folder);
  expect(error.code).toBe('database-is-directory');
  expect(error.message).toContain(`sqlite:${folder}/horae.db`);
});

test('a missing folder is refused by name and not created', async () => {
  const folder = await temporaryFolder();
  const error = await openingFails(join(folder, 'missing', 'horae.db'));
  expect(error.code).toBe('database-folder-missing');
  expect(error.message).toContain(join(folder, 'missing'));
  expect(await readdir(folder)).toEqual([]);
});

test('a read-only folder and a read-only file are refused by name', async () => {
  const folder = await temporaryFolder();
  await chmod(folder, 0o755);
  const closedFolder = join(folder, 'closed');
  await mkdir(closedFolder);
  const file = join(folder, 'closed.db');
  const database = await openDatabase(`sqlite:${file}`);
  await database.migrate('closed', [{ name: 'one', up: async () => {} }]);
  await database.close();
  await chmod(file, 0o444);
  await chmod(closedFolder, 0o555);
  const worker = startWorker('open-without-rights.mjs');
  expect(await worker.receive()).toBe('ready');
  worker.send({ urls: [`sqlite:${closedFolder}/horae.db`, `sqlite:${file}`] });
  const [forFolder, forFile] = (await worker.receive()) as { code: string; message: string }[];
  expect(forFolder?.code).toBe('database-read-only');
  expect(forFolder?.message).toContain(`${closedFolder}/horae.db`);
  expect(forFolder?.message).toContain('write access');
  expect(forFile?.code).toBe('database-read-only');
  expect(forFile?.message).toContain(file);
});

test('a full disk is one clear error, keeps what was committed, and is over when there is room again', async () => {
  const path = join(await temporaryFolder(), 'horae.db');
  const database = await openDatabase(`sqlite:${path}`);
  onTestFinished(() => database.close());
  await sql`create table horae_notes (text text not null)`.execute(database.kysely);
  await database.kysely.insertInto('horae_notes').values({ text: 'kept' }).execute();
  await sql`pragma max_page_count = 10`.execute(database.kysely);
  const fill = database.transaction(async (trx) => {
    for (let row = 0; row < 100; row++) {
      // Work that carries on after a failed statement must not end up with half a transaction.
      await trx
        .insertInto('horae_notes')
        .values({ text: 'x'.repeat(4_000) })
        .execute()
        .catch(() => {});
    }
  });
  const error = await fill.catch((reason: unknown) => reason);
  expect(error).toMatchObject({ code: 'disk-full', details: { url: `sqlite:${path}` } });
  expect((error as Error).message).toContain(path);
  const texts = async () =>
    (await database.kysely.selectFrom('horae_notes').select('text').execute()).map((row) => row.text);
  expect(await texts()).toEqual(['kept']);
  await sql`pragma max_page_count = 1000000`.execute(database.kysely);
  await database.transaction((trx) => trx.insertInto('horae_notes').values({ text: 'after' }).execute());
  expect(await texts()).toEqual(['kept', 'after']);
});

test('a database that a newer version has written is refused with both names, in another process too', async () => {
  const path = join(await temporaryFolder(), 'horae.db');
  const step = (name: string) => ({ name, up: async () => {} });
  const newer = await openDatabase(`sqlite:${path}`);
  await newer.migrate('some-package', [step('0001'), step('0002-from-the-future')]);
  await newer.close();
  const older = await openDatabase(`sqlite:${path}`);
  onTestFinished(() => older.close());
  const error = await older.migrate('some-package', [step('0001')]).catch((reason: unknown) => reason);
  expect(error).toMatchObject({ code: 'newer-schema', details: { unknown: ['0002-from-the-future'] } });
  expect((error as Error).message).toContain(path);
  expect((error as Error).message).toContain('upgrade some-package');
});
