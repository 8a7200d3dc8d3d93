import { type HoraeDatabase, openDatabase } from '@horae/clock-store/storage';
import { startTestPostgres, type TestServer } from '@horae/clock-store/testing';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';

let server: TestServer;
beforeAll(async () => {
  server = await startTestPostgres();
});
afterAll(() => server.stop());

async function opened(url: string): Promise<HoraeDatabase> {
  const database = await openDatabase(url);
  onTestFinished(() => database.close());
  return database;
}

test('a message reaches every listener of its channel when its transaction commits, and nobody else', async () => {
  const url = await server.freshDatabase();
  const [sender, receiver] = [await opened(url), await opened(`${url}?poolSize=1`)];
  const stranger = await opened(`${url}?tablePrefix=x_`);
  const heard: string[] = [];
  await receiver.messages!.listen('jobs', (text) => heard.push(`first ${text}`));
  const remove = await receiver.messages!.listen('jobs', (text) => heard.push(`second ${text}`));
  await receiver.messages!.listen('other', (text) => heard.push(`other ${text}`));
  await stranger.messages!.listen('jobs', (text) => heard.push(`stranger ${text}`));
  await sender
    .transaction(async (trx) => {
      await sender.messages!.send(trx, 'jobs', 'taken back');
      throw new Error('no');
    })
    .catch(() => {});
  await sender.transaction((trx) => sender.messages!.send(trx, 'jobs', 'one'));
  await expect.poll(() => heard).toEqual(['first one', 'second one']);
  remove();
  await sender.messages!.send(sender.kysely, 'jobs', 'two');
  await expect.poll(() => heard).toEqual(['first one', 'second one', 'first two']);
});

test('a listener hears null after an outage, and messages again', { timeout: 30_000 }, async () => {
  const url = await server.freshDatabase();
  const [sender, receiver] = [await opened(url), await opened(url)];
  const heard: (string | null)[] = [];
  await receiver.messages!.listen('jobs', (text) => heard.push(text));
  await server.halt();
  await server.resume();
  await expect.poll(() => heard, { timeout: 15_000 }).toEqual([null]);
  const send = () => sender.messages!.send(sender.kysely, 'jobs', 'back');
  await send().catch(send);
  await expect.poll(() => heard.at(-1)).toBe('back');
});

test('there are no messages on SQLite, and a name that is none is refused', async () => {
  expect((await opened('sqlite::memory:')).messages).toBeUndefined();
  const database = await opened(await server.freshDatabase());
  await expect(database.messages!.listen('a"b', () => {})).rejects.toMatchObject({ code: 'bad-storage-input' });
});
