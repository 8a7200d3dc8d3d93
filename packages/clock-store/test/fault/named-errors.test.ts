import { type HoraeDatabase, type OpenDatabaseOptions, openDatabase } from '@horae/clock-store/storage';
import { startTestMariadb, startTestPostgres, type TestServer } from '@horae/clock-store/testing';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';

async function opened(url: string, options?: OpenDatabaseOptions): Promise<HoraeDatabase> {
  const database = await openDatabase(url, options);
  onTestFinished(() => database.close());
  return database;
}

/** Fails with this code, names the server without its password, and says what to do. */
async function expectNamed(work: Promise<unknown>, code: string, remedy: string): Promise<void> {
  const error = await work.then(
    () => undefined,
    (caught: unknown) => caught as Error & { code: string; details: { url: string } },
  );
  expect(error).toMatchObject({ code, details: { url: expect.stringContaining(':***@127.0.0.1:') } });
  expect(error?.message).toContain(error?.details.url);
  expect(error?.message).toContain(remedy);
  expect(`${error?.message} ${error?.stack} ${JSON.stringify(error?.details)}`).not.toMatch(/horae-test|visitor-test/);
}

const servers = [
  {
    name: 'PostgreSQL',
    start: startTestPostgres as () => Promise<TestServer | 'unavailable'>,
    visitor: [`create role visitor login password 'visitor-test' connection limit 1`],
    sleep: sql`select pg_sleep(30)`,
    readOnly: ['alter role visitor set default_transaction_read_only = on'],
    writable: ['grant all on schema public to visitor', 'alter role visitor connection limit 10'],
  },
  {
    name: 'MariaDB',
    start: startTestMariadb,
    visitor: [`create user visitor@'%' identified by 'visitor-test' with max_user_connections 1`],
    sleep: sql`select sleep(30)`,
    readOnly: ['set global read_only = 1'],
    writable: [
      `grant select, insert, create on *.* to visitor@'%'`,
      `alter user visitor@'%' with max_user_connections 10`,
    ],
  },
];

describe.each(servers)('$name', ({ name, start, visitor, sleep, readOnly, writable }) => {
  let server: TestServer | 'unavailable';
  beforeAll(async () => {
    server = await start();
  });
  afterAll(async () => {
    if (server !== 'unavailable') await server.stop();
  });

  test('a full pool, a full server, a server without writes, a slow statement: each has its own error', async (context) => {
    if (server === 'unavailable')
      return context.skip(`${name} is not installed here; HORAE_REQUIRE_MARIADB=1 makes this a failure`);
    const { url } = server;
    const owner = await opened(url, { poolSize: 1, connectTimeoutMs: 200 });
    const run = async (statements: readonly string[]) => {
      for (const statement of statements) await sql.raw(statement).execute(owner.kysely);
    };

    await owner.transaction(() =>
      // Outside of the transaction by intent: the only connection is taken.
      expectNamed(sql`select 1`.execute(owner.kysely), 'pool-exhausted', 'raise poolSize'),
    );
    expect(await owner.dbNow(), 'the pool is whole afterwards').toBeGreaterThan(0);

    await run(visitor);
    await run(writable.slice(0, 1));
    const asVisitor = url.replace('horae:horae-test', 'visitor:visitor-test');
    const first = await opened(asVisitor, { poolSize: 1 });
    await expectNamed(openDatabase(asVisitor), 'too-many-connections', 'lower poolSize');
    await first.close();

    await run([...writable.slice(1), ...readOnly]);
    const reader = await opened(asVisitor);
    const create = reader.kysely.schema.createTable('denied').addColumn('n', 'integer').execute();
    await expectNamed(create, 'server-read-only', 'connect to the primary');

    const hasty = await opened(`${url}?statementTimeoutMs=300`);
    const slow = hasty.transaction((trx) => sleep.execute(trx));
    await expectNamed(slow, 'statement-timeout', 'raise statementTimeoutMs');
    await expectNamed(openDatabase(`${url}?sslmode=require`), 'database-tls', 'sslmode=disable');
  });
});
