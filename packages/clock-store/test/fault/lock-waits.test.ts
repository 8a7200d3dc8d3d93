import { openDatabase } from '@horae/clock-store/storage';
import { startTestMariadb, startTestPostgres } from '@horae/clock-store/testing';
import { sql } from 'kysely';
import { expect, test } from 'vitest';

test.for([
  { name: 'PostgreSQL', start: startTestPostgres, sleep: sql`select pg_sleep(2.5)` },
  { name: 'MariaDB', start: startTestMariadb, sleep: sql`do sleep(2.5)` },
])(
  'a lock that $name keeps a statement waiting for is logged with its holder, and a slow statement is not',
  { timeout: 60_000 },
  async ({ name, start, sleep }, context) => {
    const server = await start();
    if (server === 'unavailable')
      return context.skip(`${name} is not installed here; HORAE_REQUIRE_MARIADB=1 makes this a failure`);
    const lines: { facts: object; message: string }[] = [];
    let logged = () => {};
    const isLogged = new Promise<void>((resolve) => {
      logged = resolve;
    });
    const log = {
      warn(facts: object, message: string) {
        lines.push({ facts, message });
        logged();
      },
    };
    const [holder, waiter] = [await openDatabase(server.url), await openDatabase(server.url, { log })];
    await sleep.execute(waiter.kysely);
    expect(lines).toEqual([]);
    await holder.withLock('door', async () => {});
    let waits: Promise<unknown> = Promise.resolve();
    await holder.withLock('door', async () => {
      waits = waiter.withLock('door', async () => 'in');
      await isLogged;
    });
    expect(await waits).toBe('in');
    expect(lines).toMatchObject([
      {
        message: 'A statement waits for a lock',
        facts: { url: waiter.url, waitedMs: 2_000, holders: [{ user: 'horae', session: expect.any(Number) }] },
      },
    ]);
    expect(JSON.stringify(lines)).not.toContain('horae-test');
    await Promise.all([holder.close(), waiter.close()]);
    await server.stop();
  },
);
