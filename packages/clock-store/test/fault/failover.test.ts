import { openDatabase } from '@horae/clock-store/storage';
import { startTestPostgres, startTestStandby, type TestServer } from '@horae/clock-store/testing';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';

let primary: TestServer;
let standby: TestServer;
beforeAll(async () => {
  primary = await startTestPostgres();
  standby = await startTestStandby(primary);
}, 60_000);
afterAll(async () => {
  await standby.stop();
  await primary.stop();
});

const portOf = ({ url }: TestServer) => new URL(url).port;

/** One URL for both servers; nobody listens at the first of its hosts. */
function both(query: string, ...servers: readonly TestServer[]): string {
  const hosts = ['127.0.0.1:1', ...servers.map((server) => `127.0.0.1:${portOf(server)}`)];
  return `postgres://horae:horae-test@${hosts.join(',')}/horae_test_1?${query}`;
}

async function opened(url: string) {
  const database = await openDatabase(url, { connectTimeoutMs: 5_000 });
  onTestFinished(() => database.close());
  return database;
}

async function portIn(database: Awaited<ReturnType<typeof opened>>): Promise<string> {
  const { rows } = await sql<{ port: number }>`select inet_server_port() as port`.execute(database.kysely);
  return String(rows[0]?.port);
}

test('the first host that answers is taken, and with read-write the first that takes writes', async () => {
  expect(await portIn(await opened(both('target_session_attrs=any', standby, primary)))).toBe(portOf(standby));
  expect(await portIn(await opened(both('', standby, primary)))).toBe(portOf(standby));
  expect(await portIn(await opened(both('target_session_attrs=read-write', standby, primary)))).toBe(portOf(primary));
});

test('a standby refuses writes with an error that says what to do, and so does a URL of standbys alone', async () => {
  const database = await opened(standby.url);
  await expect(database.migrate('a', [{ name: 'one', up: async () => {} }])).rejects.toMatchObject({
    code: 'server-read-only',
    message: expect.stringContaining('target_session_attrs=read-write'),
    details: { url: expect.stringContaining(':***@') },
  });
  await expect(openDatabase(both('target_session_attrs=read-write', standby))).rejects.toMatchObject({
    code: 'server-read-only',
    message: expect.stringContaining('No host of'),
  });
});

test('a wrong password is not tried at every host', async () => {
  const url = both('target_session_attrs=read-write', standby, primary).replace('horae-test', 'wrong');
  await expect(openDatabase(url)).rejects.toMatchObject({ code: 'database-credentials' });
});

test('the writable server is found again after a promotion, and after the server in use becomes read-only', async () => {
  const database = await opened(both('target_session_attrs=read-write&poolSize=3', primary, standby));
  await database.kysely.schema.createTable('marks').addColumn('n', 'integer').execute();
  const mark = (n: number) =>
    database.transaction((trx) => trx.insertInto('marks').values({ n }).execute()).then(() => n);
  await Promise.all([1, 2, 3].map(mark));
  const follower = await opened(standby.url);
  await expect.poll(() => sql`select 1 from marks`.execute(follower.kysely).then(({ rows }) => rows.length)).toBe(3);
  await primary.halt();
  await expect(mark(4)).rejects.toMatchObject({ code: expect.stringMatching(/database-unreachable|server-read-only/) });
  await sql`select pg_promote(true, 30)`.execute(follower.kysely);
  // The first call may still meet a connection that was lost; the next one finds the new primary.
  await expect.poll(() => mark(5).catch((error: { code: string }) => error.code), { timeout: 10_000 }).toBe(5);
  expect(await portIn(database)).toBe(portOf(standby));

  // The other way round: the server that is in use becomes read-only while its connections are open.
  await primary.resume();
  // Both take writes now, each for itself: what counts is which one is asked.
  const second = await opened(both('target_session_attrs=read-write', primary, standby));
  await second.kysely.schema.createTable('switched').ifNotExists().addColumn('n', 'integer').execute();
  expect(await portIn(second)).toBe(portOf(primary));
  const [old, next] = [await opened(primary.url), await opened(standby.url)];
  await next.kysely.schema.createTable('switched').ifNotExists().addColumn('n', 'integer').execute();
  await sql`alter system set default_transaction_read_only = on`.execute(old.kysely);
  await sql`select pg_reload_conf()`.execute(old.kysely);
  const write = () => second.kysely.insertInto('switched').values({ n: 1 }).execute();
  await expect
    .poll(
      () =>
        write().then(
          () => portIn(second),
          () => 'refused',
        ),
      { timeout: 10_000 },
    )
    .toBe(portOf(standby));
});
