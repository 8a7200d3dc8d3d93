import { systemClock } from '@horae/clock-store';
import { openDatabase } from '@horae/clock-store/storage';
import { startSilentProxy, startTestMariadb, startTestPostgres, type TestServer } from '@horae/clock-store/testing';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';

const clock = systemClock();
const TOLERANCE_MS = 2_000;

describe.each([
  {
    name: 'PostgreSQL',
    start: startTestPostgres as () => Promise<TestServer | 'unavailable'>,
    sleep: sql`select pg_sleep(60)`,
  },
  { name: 'MariaDB', start: startTestMariadb, sleep: sql`select sleep(60)` },
])('$name', ({ start, sleep }) => {
  let server: TestServer | 'unavailable';
  beforeAll(async () => {
    server = await start();
  });
  afterAll(async () => {
    if (server !== 'unavailable') await server.stop();
  });

  async function urlOrSkip(skip: (note: string) => void): Promise<string> {
    if (server !== 'unavailable') return server.freshDatabase();
    skip('MariaDB is not installed here; HORAE_REQUIRE_MARIADB=1 makes this a failure');
    return '';
  }

  async function elapsed(work: () => Promise<unknown>): Promise<number> {
    const began = clock.monotonicMs();
    await work();
    return clock.monotonicMs() - began;
  }

  test('a transaction that lies idle is ended by the server, and who waits for its lock goes on', async (context) => {
    const url = await urlOrSkip(context.skip);
    const [holder, other] = await Promise.all([openDatabase(url), openDatabase(url)]);
    onTestFinished(async () => {
      await Promise.all([holder.close(), other.close()]);
    });
    await holder.withLock('row', async () => {});
    let isHeld = () => {};
    const held = new Promise<void>((resolve) => {
      isHeld = resolve;
    });
    const limits = { idleMs: 1_000 };
    const idle = holder.transaction(
      async (trx) => {
        await sql`select name from horae_locks where name = 'row' for update`.execute(trx);
        isHeld();
        await clock.sleepFor(4_000);
        await sql`select 1`.execute(trx);
      },
      { limits },
    );
    idle.catch(() => {});
    await held;
    const tookMs = await elapsed(() => other.withLock('row', async () => {}));
    expect(tookMs).toBeLessThan(1_000 + TOLERANCE_MS);
    await expect(idle).rejects.toMatchObject({
      code: expect.stringMatching(/transaction-timeout|database-unreachable/),
    });
    expect(await holder.withLock('row', async () => 'goes on')).toBe('goes on');
  });

  test('a statement over its limit is ended by the server, in a transaction and, on this side, outside', async (context) => {
    const database = await openDatabase(await urlOrSkip(context.skip), { statementTimeoutMs: 300 });
    onTestFinished(() => database.close());
    const limited = { code: 'statement-timeout' };
    await expect(database.transaction((trx) => sleep.execute(trx))).rejects.toMatchObject(limited);
    await expect(sleep.execute(database.kysely)).rejects.toMatchObject(limited);
    expect(await database.dbNow()).toBeGreaterThan(0);
  });

  test('a lock that is not given within its limit is busy, not waited for without end', async (context) => {
    const url = await urlOrSkip(context.skip);
    const [holder, other] = await Promise.all([openDatabase(url), openDatabase(url, { busyLimitMs: 0 })]);
    onTestFinished(async () => {
      await Promise.all([holder.close(), other.close()]);
    });
    await holder.withLock('row', async () => {
      await expect(other.withLock('row', async () => {})).rejects.toMatchObject({ code: 'database-busy' });
    });
  });

  test('a flow that is dropped without a word costs one limit, whatever else waits in the pool', async (context) => {
    await using proxy = await startSilentProxy(await urlOrSkip(context.skip));
    const database = await openDatabase(proxy.url, { statementTimeoutMs: 300 });
    onTestFinished(() => database.close());
    await Promise.all(Array.from({ length: 5 }, () => database.dbNow()));
    proxy.silence();
    await expect(database.dbNow()).rejects.toMatchObject({ code: 'statement-timeout' });
    proxy.restore();
    expect(await database.dbNow()).toBeGreaterThan(0);
  });

  test.each(['a statement', 'a new connection'])(
    'closing is bounded while %s waits for a server that does not answer',
    async (what) => {
      if (server === 'unavailable') return;
      await using proxy = await startSilentProxy(await server.freshDatabase());
      const database = await openDatabase(proxy.url, { poolSize: 2 });
      if (what === 'a new connection') proxy.silence();
      const waiting = Array.from({ length: 3 }, () => database.transaction((trx) => sleep.execute(trx)));
      const outcomes = Promise.allSettled(waiting);
      await clock.sleepFor(300);
      proxy.silence();
      expect(await elapsed(() => database.close({ limitMs: 500 }))).toBeLessThan(1_000 + TOLERANCE_MS);
      expect((await outcomes).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    },
  );
});
