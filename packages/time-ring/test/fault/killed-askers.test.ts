import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { openDatabase } from '@horae/clock-store/storage';
import { sql } from 'kysely';
import { describe, expect, onTestFinished, test } from 'vitest';
import { connectTimeRing, createExecutor, startTimeRing } from '../../src/index.js';
import { faultDatabases, writeJobs } from '../support/fault-databases.js';
import { eventually } from '../support/network-stage.js';

const PROGRAM = fileURLToPath(new URL('./processes/dies-asking.mjs', import.meta.url));
/** No request has so many statements: a test that gets here asks for ever. */
const MAX_STATEMENTS = 60;

/** A process that asks for something; true when it lived to hear the answer. */
function asker(options: { database: string; what: string; dieAt: number }): Promise<boolean> {
  const child = fork(PROGRAM, [JSON.stringify(options)], { stdio: ['ignore', 'ignore', 'pipe', 'ipc'], execArgv: [] });
  onTestFinished(() => void child.kill('SIGKILL'));
  let complaints = '';
  child.stderr!.on('data', (text) => {
    complaints += text;
  });
  return new Promise((resolve, reject) => {
    child.once('exit', (code, signal) => {
      if (signal === 'SIGKILL') resolve(false);
      else if (code === 0) resolve(true);
      else reject(new Error(`${options.what} ended with ${code}: ${complaints.slice(-2_000)}`));
    });
  });
}

/** What the transactions of each kind must have left of each order. */
const RUNS_PER_ORDER = { trigger: 1, many: 2, flow: 2 } as const;

describe.each(faultDatabases)('a process on $name that is killed at every statement', ({ open }) => {
  test('leaves of what it asked for exactly what it committed', { timeout: 240_000 }, async (context) => {
    const database = await open();
    if (database === 'unavailable') {
      context.skip('MariaDB is not installed here; HORAE_REQUIRE_MARIADB=1 makes this a failure');
      return;
    }
    const job = { schedule: { kind: 'none' }, block: 'CONCURRENT', concurrency: 50 } as const;
    await writeJobs(database, [{ key: 'mail', name: 'mail', handler: 'mail', ...job }]);
    const opened = await openDatabase(database);
    onTestFinished(() => opened.close());
    const column = opened.dialect === 'postgres' ? 'text' : 'varchar(20)';
    await sql`create table orders (what ${sql.raw(column)})`.execute(opened.kysely);
    const client = await connectTimeRing({ database: opened });
    onTestFinished(() => client.close());

    const deaths: Record<string, number> = {};
    for (const what of ['trigger', 'many', 'unique', 'put', 'flow']) {
      let dieAt = 1;
      while (!(await asker({ database, what, dieAt }))) {
        expect(dieAt).toBeLessThan(MAX_STATEMENTS);
        dieAt += 1;
      }
      deaths[what] = dieAt - 1;
    }
    const { rows: orders } = await sql<{ what: keyof typeof RUNS_PER_ORDER; count: number | string }>`
      select what, count(*) as count from orders group by what order by what`.execute(opened.kysely);
    console.info(JSON.stringify({ deaths, orders }));
    for (const { what, count } of orders) {
      // One lived, and one died with the answer of its commit.
      expect(Number(count)).toBe(2);
      expect(deaths[what]).toBeGreaterThan(3);
    }
    expect(orders.map(({ what }) => what)).toEqual(Object.keys(RUNS_PER_ORDER).sort());
    expect((await client.jobs.list()).jobs.map(({ key }) => key).sort()).toEqual(['declared', 'mail']);

    const ring = await startTimeRing({ database });
    onTestFinished(() => ring.stop({ deadlineMs: 0 }));
    const worked: unknown[] = [];
    await createExecutor({ ring, handlers: { mail: ({ params }) => void worked.push(params) } });
    const expected = [
      ...['flow', 'flow', 'many', 'many', 'many', 'many', 'trigger', 'trigger', 'unique'],
      ...[{ from: null }, { from: null }],
    ].map((params) => JSON.stringify(params));
    await eventually(() => expect(worked.map((params) => JSON.stringify(params)).sort()).toEqual(expected.sort()));
    await eventually(async () => {
      const { runs } = await ring.runs.list({ limit: 100 });
      expect(runs.filter(({ state }) => state !== 'succeeded')).toEqual([]);
    });
    expect((await ring.flows.list()).flows.map(({ state }) => state)).toEqual(['succeeded', 'succeeded']);
    expect(worked).toHaveLength(expected.length);
  });
});
