import { openDatabase } from '@horae/clock-store/storage';
import { startTestMariadb, type TestServer } from '@horae/clock-store/testing';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { withClusterLease } from '../../src/storage/server/cluster-lease.js';

let server: TestServer | 'unavailable';
beforeAll(async () => {
  server = await startTestMariadb();
});
afterAll(async () => {
  if (server !== 'unavailable') await server.stop();
});

const MISSING = 'MariaDB is not installed here; HORAE_REQUIRE_MARIADB=1 makes this a failure';
const url = 'mysql://cluster/app';

async function opened() {
  const database = await openDatabase(await (server as TestServer).freshDatabase());
  onTestFinished(() => database.close());
  return database.kysely;
}

test('many who want the lease of a cluster get it one after the other', async (context) => {
  if (server === 'unavailable') return context.skip(MISSING);
  const db = await opened();
  let inside = 0;
  const work = async () => {
    inside += 1;
    expect(inside).toBe(1);
    await sql`do sleep(0.05)`.execute(db);
    inside -= 1;
    return 'done';
  };
  const all = Array.from({ length: 4 }, () => withClusterLease(db, { url, heartbeats: db }, work));
  expect(await Promise.all(all)).toEqual(Array(4).fill('done'));
});

test('a holder that died is replaced, one that lives is waited for, up to the limit', async (context) => {
  if (server === 'unavailable') return context.skip(MISSING);
  const db = await opened();
  await withClusterLease(db, { url, heartbeats: null }, async () => {
    // The holder shows no heartbeat: it has died as far as others can see.
    const heir = withClusterLease(db, { url, heartbeats: null }, async () => 'heir', {
      staleMs: 300,
      waitLimitMs: 60_000,
    });
    expect(await heir).toBe('heir');
  });
  await withClusterLease(db, { url, heartbeats: db }, async () => {
    const stranger = withClusterLease(db, { url, heartbeats: null }, async () => 'in', {
      staleMs: 60_000,
      waitLimitMs: 300,
    });
    await expect(stranger).rejects.toMatchObject({ code: 'database-busy', details: { url } });
  });
  expect(await withClusterLease(db, { url, heartbeats: null }, async () => 'free again')).toBe('free again');
});

test('what another member has made meanwhile is contention, which is tried again, and other errors are what they are', async (context) => {
  if (server === 'unavailable') return context.skip(MISSING);
  const db = await opened();
  const twice = async () => {
    await sql`create table twice (id integer)`.execute(db);
    await sql`create table twice (id integer)`.execute(db);
  };
  await expect(withClusterLease(db, { url, heartbeats: null }, twice)).rejects.toMatchObject({
    code: 'database-busy',
    details: { url, attempts: 0 },
  });
  const wrong = () => sql`not a statement`.execute(db);
  await expect(withClusterLease(db, { url, heartbeats: null }, wrong)).rejects.toMatchObject({ errno: 1064 });
});
