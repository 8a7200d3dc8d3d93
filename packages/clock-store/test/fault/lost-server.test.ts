import { connect, createServer, type Socket } from 'node:net';
import { createSupervisedLoop, seededRandom, systemClock } from '@horae/clock-store';
import { openDatabase } from '@horae/clock-store/storage';
import { startTestMariadb, startTestPostgres, type TestServer } from '@horae/clock-store/testing';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';

/** A door in front of a server that can be slammed shut and opened again, so that the server itself need not be restarted. */
async function doorTo(url: string): Promise<{ url: string; shut(): void; open(): void }> {
  const target = new URL(url);
  const sockets = new Set<Socket>();
  let isOpen = true;
  const server = createServer((client) => {
    if (!isOpen) return void client.destroy();
    const upstream = connect(Number(target.port), target.hostname);
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(socket);
      socket.on('error', () => other.destroy());
      socket.on('close', () => {
        sockets.delete(socket);
        other.destroy();
      });
      socket.pipe(other);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  const shut = () => {
    isOpen = false;
    for (const socket of sockets) socket.destroy();
  };
  onTestFinished(() => {
    shut();
    server.close();
  });
  const door = new URL(url);
  door.port = String(port);
  return {
    url: door.href,
    shut,
    open() {
      isOpen = true;
    },
  };
}

/** The password must not be anywhere in an error that people print. */
function expectNoPassword(error: unknown, password: string): void {
  const { message, stack, details } = error as Error & { details: unknown };
  expect(`${message} ${stack} ${JSON.stringify(details)}`).not.toContain(password);
}

describe.each([
  { name: 'PostgreSQL', start: startTestPostgres as () => Promise<TestServer | 'unavailable'> },
  { name: 'MariaDB', start: startTestMariadb },
])('$name', ({ start }) => {
  let server: TestServer | 'unavailable';
  beforeAll(async () => {
    server = await start();
  });
  afterAll(async () => {
    if (server !== 'unavailable') await server.stop();
  });

  function urlOrSkip(skip: (note: string) => void): string {
    if (server !== 'unavailable') return server.url;
    skip('MariaDB is not installed here; HORAE_REQUIRE_MARIADB=1 makes this a failure');
    return '';
  }

  test('a wrong password, a missing database and a closed port are one clear error each, without the password', async (context) => {
    const wrongPassword = new URL(urlOrSkip(context.skip));
    wrongPassword.password = 'guessed-secret';
    const refused = await openDatabase(wrongPassword.href).catch((error: unknown) => error);
    expect(refused).toMatchObject({ code: 'database-credentials' });
    expectNoPassword(refused, 'guessed-secret');

    const missing = new URL(urlOrSkip(context.skip));
    const { password } = missing;
    missing.pathname = '/horae_nowhere';
    const absent = await openDatabase(missing.href).catch((error: unknown) => error);
    expect(absent).toMatchObject({ code: 'database-missing' });
    expectNoPassword(absent, password);

    const door = await doorTo(urlOrSkip(context.skip));
    door.shut();
    const unreachable = await openDatabase(door.url).catch((error: unknown) => error);
    expect(unreachable).toMatchObject({ code: 'database-unreachable' });
    expect((unreachable as Error).message).toContain(new URL(door.url).port);
    expectNoPassword(unreachable, password);
  });

  test('losing the server, idle or inside a transaction, is an error for the caller and never ends the process', async (context) => {
    const door = await doorTo(urlOrSkip(context.skip));
    const database = await openDatabase(door.url);
    onTestFinished(() => database.close());
    const cut = database.transaction(async (trx) => {
      await sql`select 1`.execute(trx);
      door.shut();
      await sql`select 1`.execute(trx);
    });
    await expect(cut).rejects.toMatchObject({ code: 'database-unreachable' });
    await expect(database.dbNow()).rejects.toMatchObject({ code: 'database-unreachable' });
    door.open();
    expect(await database.transaction(async (trx) => (await sql`select 1 as one`.execute(trx)).rows)).toEqual([
      { one: 1 },
    ]);
    door.shut();
    await expect(database.withLock('lost', async () => {})).rejects.toMatchObject({ code: 'database-unreachable' });
  });

  test('a server that was restarted has what was committed, and an open database goes on with it', async (context) => {
    const database = await openDatabase(urlOrSkip(context.skip));
    onTestFinished(() => database.close());
    if (server === 'unavailable') return;
    await sql`create table restarted (id integer)`.execute(database.kysely);
    await sql`insert into restarted values (7)`.execute(database.kysely);
    await server.halt();
    await expect(database.dbNow()).rejects.toMatchObject({ code: 'database-unreachable' });
    await server.resume();
    const { rows } = await sql`select id from restarted`.execute(database.kysely);
    expect(rows).toEqual([{ id: 7 }]);
  });

  test('a loop backs off while the server is gone and goes on when it returns', async (context) => {
    const door = await doorTo(urlOrSkip(context.skip));
    const database = await openDatabase(door.url);
    onTestFinished(() => database.close());
    const stop = new AbortController();
    const story: string[] = [];
    const loop = createSupervisedLoop({
      clock: systemClock(),
      random: seededRandom('lost server'),
      backoff: { firstMs: 1, longestMs: 10 },
      async pass() {
        await database.dbNow();
        if (story.length === 0) door.shut();
        if (story.includes('recovered')) stop.abort();
        return { afterMs: 1 };
      },
      onFailure(error, { failures }) {
        if (failures === 1) story.push((error as { code: string }).code);
        if (failures === 3) door.open();
      },
      onRecovery: ({ failures }) => void story.push(failures >= 3 ? 'recovered' : 'recovered too early'),
    });
    await loop.run(stop.signal);
    expect(story).toEqual(['database-unreachable', 'recovered']);
  });
});

test('PostgreSQL does not turn a swallowed error into a commit that kept nothing', async () => {
  const server = await startTestPostgres();
  onTestFinished(() => server.stop());
  const database = await openDatabase(server.url);
  onTestFinished(() => database.close());
  await sql`create table horae_once (id integer primary key)`.execute(database.kysely);
  const twice = database.transaction(async (trx) => {
    await trx.insertInto('horae_once').values({ id: 1 }).execute();
    await trx
      .insertInto('horae_once')
      .values({ id: 1 })
      .execute()
      .catch(() => {});
    return 'looked fine';
  });
  await expect(twice).rejects.toMatchObject({ code: '23505' });
  expect(await database.kysely.selectFrom('horae_once').selectAll().execute()).toEqual([]);
});
