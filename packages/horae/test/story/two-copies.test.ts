import { createRequire } from 'node:module';
import { join } from 'node:path';
import * as time from '@horae/clock-store';
import * as storage from '@horae/clock-store/storage';
import * as ring from '@horae/time-ring';
import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { scratchFolder } from '../support/run-horae.js';

// A program can load a package twice: what it imports is one copy, and what a CommonJS library of it requires is another.
const require = createRequire(import.meta.url);
const required = {
  time: require('@horae/clock-store') as typeof time,
  storage: require('@horae/clock-store/storage') as typeof storage,
  ring: require('@horae/time-ring') as typeof ring,
};

test('the two copies are not the same, or the rest of this file shows nothing', () => {
  expect(required.time.systemClock).not.toBe(time.systemClock);
  expect(required.ring.createExecutor).not.toBe(ring.createExecutor);
});

test('an error of one copy is known to the other', () => {
  expect(time.isHoraeError(new required.time.InvariantError('planted', {}))).toBe(true);
  expect(required.time.isHoraeError(new time.InvariantError('planted', {}))).toBe(true);
});

test('writers of both copies wait for each other at the file of a database', async () => {
  const url = `sqlite:${join(scratchFolder(), 'shared.db')}`;
  const first = await storage.openDatabase(url);
  const second = await required.storage.openDatabase(url);
  onTestFinished(async () => {
    await first.close();
    await second.close();
  });
  await sql`create table notes (writer text)`.execute(first.kysely);
  const order: string[] = [];
  const write = (database: storage.HoraeDatabase, writer: string) =>
    database.transaction(async (transaction) => {
      await sql`insert into notes values (${writer})`.execute(transaction);
      order.push(`${writer} begins`);
      for (let turn = 0; turn < 20; turn++) await time.systemClock().sleepFor(0);
      order.push(`${writer} ends`);
    });
  await Promise.all([write(first, 'first'), write(second, 'second')]);
  expect(order).toEqual(['first begins', 'first ends', 'second begins', 'second ends']);
});

test('an executor of one copy serves the ring of the other', async () => {
  const url = `sqlite:${join(scratchFolder(), 'ring.db')}`;
  await using started = await ring.startTimeRing({ database: url });
  const done = time.deferred<unknown>();
  await required.ring.createExecutor({
    ring: started,
    handlers: { greet: ({ params }) => done.resolve(params) },
  });
  const { id } = await started.jobs.add({ name: 'greeting', handler: 'greet', schedule: { kind: 'none' } });
  await started.jobs.trigger(id, { params: 'hello' });
  expect(await done.promise).toBe('hello');
});
