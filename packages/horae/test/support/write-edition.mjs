// Writes what an edition leaves in its databases as SQL, one file per database: the fixture of the upgrade tests.
//   node test/support/write-edition.mjs <built workspace of the edition> <folder to write into>
// It runs jobs and tasks with the packages of that workspace and copies tables and rows while a job is still running, as if the
// process died there.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { startTestMariadb, startTestPostgres } from '@horae/clock-store/testing';

const [edition, target] = process.argv.slice(2).map((path) => resolve(path));
const load = (name) => import(pathToFileURL(join(edition, 'packages', name)).href);
const { startTimeRing, createExecutor } = await load('time-ring/dist/index.js');
const { createScheduler } = await load('declarative-scheduler/dist/index.js');
const { createManualClock } = await load('clock-store/dist/testing.js');
const driver = createRequire(join(edition, 'packages/clock-store/package.json'));

/** Jobs of every kind and runs of every state; resolves while one of them is running. */
async function fillRing(database) {
  const ring = await startTimeRing({ database, nodeId: 'first-edition' });
  let started;
  const isRunning = new Promise((resolveIt) => {
    started = resolveIt;
  });
  await createExecutor({
    ring,
    handlers: {
      greet: ({ params, log }) => {
        log(`greeting ${params}`);
        return `Hello, ${params}`;
      },
      fail: () => {
        throw new Error('out of paper');
      },
      hang: ({ signal }) => {
        started();
        return new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('aborted'))));
      },
    },
  });
  const add = (name, handler, schedule, rest = {}) => ring.jobs.add({ name, handler, schedule, ...rest });
  const child = await add('child', 'greet', { kind: 'none' }, { params: 'child' });
  const greet = await add('greet', 'greet', { kind: 'none' }, { params: "O'Neil", children: [child.id] });
  const fail = await add('fail', 'fail', { kind: 'none' }, { retries: 0 });
  const hang = await add('hang', 'hang', { kind: 'none' });
  await add('nightly', 'greet', { kind: 'cron', expression: '0 0 3 * * ?', zone: 'Europe/Berlin' }, { start: true });
  await add('every second', 'greet', { kind: 'fix-rate', everyMs: 1_000 }, { params: 'tick', start: true });
  await add('stopped', 'greet', { kind: 'fix-rate', everyMs: 1_000 });
  const ended = (count) =>
    new Promise((resolveIt) => {
      let left = count;
      const note = () => --left === 0 && resolveIt();
      ring.events.on('run-succeeded', note);
      ring.events.on('run-failed', note);
    });
  const allEnded = ended(5);
  await ring.jobs.trigger(greet.id);
  await ring.jobs.trigger(fail.id);
  await allEnded;
  await ring.jobs.trigger(hang.id);
  await isRunning;
  return ring;
}

/** One task that succeeded, one that failed and waits for its retry. */
async function fillTasks(database) {
  const clock = createManualClock({ now: Date.UTC(2026, 0, 1, 8, 59, 30) });
  const scheduler = createScheduler({ database, clock, zone: 'UTC' });
  const fails = async () => {
    throw new Error('no connection');
  };
  await scheduler.initialize([
    ['digest', '0 9 * * *', async () => {}, 300_000],
    ['import', '0 9 * * *', fails, 300_000],
  ]);
  await clock.advanceBy(60_000);
  await scheduler.stop();
}

const quoted = (dialect) => (value) => {
  if (value === null) return 'null';
  if (typeof value === 'number' || typeof value === 'bigint') return String(value);
  if (typeof value === 'boolean') return value ? 'true' : 'false';
  if (value instanceof Uint8Array) {
    const hex = Buffer.from(value).toString('hex');
    return dialect === 'postgres' ? `'\\x${hex}'` : `x'${hex}'`;
  }
  const text = String(value).replaceAll("'", "''");
  return `'${dialect === 'mysql' ? text.replaceAll('\\', '\\\\') : text}'`;
};

function insertions(dialect, table, rows) {
  if (rows.length === 0) return [];
  const columns = Object.keys(rows[0]);
  const values = rows.map((row) => `(${columns.map((name) => quoted(dialect)(row[name])).join(', ')})`);
  return [`insert into ${table} (${columns.join(', ')}) values\n${values.join(',\n')}`];
}

async function writeEdition(dialect, url, describe) {
  const ring = await fillRing(url);
  await fillTasks(url);
  const statements = await describe();
  mkdirSync(target, { recursive: true });
  const text = statements.map((statement) => `${statement.trim()};`).join('\n\n');
  writeFileSync(join(target, `${dialect}.sql`), `-- written at ${Date.now()}\n${text}\n`);
  await ring.stop();
}

async function sqlite() {
  const folder = mkdtempSync(join(tmpdir(), 'horae-edition-'));
  const file = join(folder, 'edition.db');
  await writeEdition('sqlite', `sqlite:${file}`, () => {
    const database = driver('better-sqlite3')(file, { readonly: true });
    const made = database
      .prepare("select name, type, sql from sqlite_master where name like 'horae%' and sql is not null")
      .all();
    const rows = made
      .filter(({ type }) => type === 'table')
      .flatMap(({ name }) => insertions('sqlite', name, database.prepare(`select * from ${name}`).all()));
    database.close();
    return [...made.map(({ sql }) => sql), ...rows];
  });
  rmSync(folder, { recursive: true, force: true });
}

async function postgres() {
  const server = await startTestPostgres();
  const { Client } = driver('pg');
  // PostgreSQL cannot say how a table was made: what was run is noted instead.
  const made = [];
  const { query } = Client.prototype;
  Client.prototype.query = function noted(...words) {
    const text = typeof words[0] === 'string' ? words[0] : words[0]?.text;
    if (/^\s*create\s+(table|index|unique)/i.test(text ?? '') && !made.includes(text)) made.push(text);
    return query.apply(this, words);
  };
  await writeEdition('postgres', server.url, async () => {
    const client = new Client({ connectionString: server.url });
    await client.connect();
    const { rows: tables } = await client.query(
      "select tablename from pg_tables where tablename like 'horae%' order by 1",
    );
    const inserted = [];
    for (const { tablename } of tables) {
      const { rows } = await client.query(`select * from ${tablename}`);
      inserted.push(...insertions('postgres', tablename, rows));
    }
    await client.end();
    const counted =
      "select setval(pg_get_serial_sequence('horae_ring_runs', 'id'), (select max(id) from horae_ring_runs))";
    return [...made, ...inserted, counted];
  });
  await server.stop();
}

async function mysql() {
  const server = await startTestMariadb();
  await writeEdition('mysql', server.url, async () => {
    const connection = await driver('mysql2/promise').createConnection({ uri: server.url, supportBigNumbers: true });
    const [tables] = await connection.query("show tables like 'horae%'");
    const statements = [];
    for (const row of tables) {
      const [name] = Object.values(row);
      const [[made]] = await connection.query(`show create table ${name}`);
      const [rows] = await connection.query(`select * from ${name}`);
      statements.push(made['Create Table'], ...insertions('mysql', name, rows));
    }
    await connection.end();
    return statements;
  });
  await server.stop();
}

await sqlite();
await postgres();
await mysql();
process.exit(0);
