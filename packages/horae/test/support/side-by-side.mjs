// Two editions on one database, as in a rolling upgrade: the old one works, the new one joins, the old one leaves.
//   node test/support/side-by-side.mjs <built workspace of the old edition> [postgres|mysql|sqlite]
// Prints how many fires each had, and how many fires came twice or not at all.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { startTestMariadb, startTestPostgres } from '@horae/clock-store/testing';

const JOBS = 20;
const EVERY_MS = 1_000;

/** A node of the edition in `workspace`; prints a line for each fire, and ends on SIGTERM. */
async function node(workspace, database, name, addsJobs) {
  const { startTimeRing, createExecutor } = await import(
    pathToFileURL(join(workspace, 'packages/time-ring/dist/index.js')).href
  );
  const ring = await startTimeRing({ database, nodeId: name });
  const tick = ({ jobId, scheduleTime }) => void console.log(JSON.stringify({ name, jobId, scheduleTime }));
  await createExecutor({ ring, handlers: { tick } });
  const schedule = { kind: 'fix-rate', everyMs: EVERY_MS };
  for (let i = 0; addsJobs && i < JOBS; i++)
    await ring.jobs.add({ name: `job ${i}`, handler: 'tick', schedule, start: true });
  process.on('SIGTERM', async () => {
    await ring.stop();
    process.exit(0);
  });
}

async function placeOf(kind) {
  if (kind === 'mysql') return startTestMariadb();
  if (kind === 'postgres') return startTestPostgres();
  const folder = mkdtempSync(join(tmpdir(), 'horae-side-'));
  return { url: `sqlite:${join(folder, 'ring.db')}`, stop: async () => rmSync(folder, { recursive: true }) };
}

async function compare(oldWorkspace, kind) {
  const place = await placeOf(kind);
  const fires = [];
  const start = (workspace, name, ...rest) => {
    const words = [fileURLToPath(import.meta.url), 'node', workspace, place.url, name, ...rest];
    const child = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'inherit'] });
    let text = '';
    child.stdout.on('data', (chunk) => {
      const lines = (text + chunk).split('\n');
      text = lines.pop();
      fires.push(...lines.map((line) => JSON.parse(line)));
    });
    return { child, ended: new Promise((done) => child.on('exit', done)) };
  };
  const old = start(oldWorkspace, 'old', 'adds-jobs');
  await wait(6_000);
  const young = start(fileURLToPath(new URL('../../../..', import.meta.url)), 'new');
  await wait(15_000);
  old.child.kill('SIGTERM');
  await old.ended;
  await wait(6_000);
  const again = start(oldWorkspace, 'old again');
  const endedWith = await Promise.race([again.ended, wait(8_000, 'it runs')]);
  again.child.kill('SIGTERM');
  young.child.kill('SIGTERM');
  await young.ended;
  await place.stop();
  return { ...judge(fires), 'a node of the old edition that starts after the migration ends with': endedWith };
}

function judge(fires) {
  const times = new Map();
  const by = {};
  for (const { name, jobId, scheduleTime } of fires) {
    times.set(jobId, [...(times.get(jobId) ?? []), scheduleTime]);
    by[name] = (by[name] ?? 0) + 1;
  }
  let twice = 0;
  let missed = 0;
  for (const list of times.values()) {
    const ordered = [...new Set(list)].sort((a, b) => a - b);
    twice += list.length - ordered.length;
    missed += Math.round((ordered.at(-1) - ordered[0]) / EVERY_MS) + 1 - ordered.length;
  }
  return { by, jobs: times.size, twice, missed };
}

const [first, ...rest] = process.argv.slice(2);
if (first === 'node') await node(...rest);
else {
  console.log(await compare(resolve(first), rest[0] ?? 'postgres'));
  process.exit(0);
}
