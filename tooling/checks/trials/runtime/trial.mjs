// One program with every package, for every runtime. The last word is the URL of a PostgreSQL server; `sqlite` as the word before
// it adds SQLite, where its addon is built for the runtime.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { isHoraeError } from '@horae/clock-store';
import { createManualClock } from '@horae/clock-store/testing';
import { createConsole } from '@horae/console';
import { nextOccurrence, parseCron } from '@horae/cron-grammar';
import { createScheduler } from '@horae/declarative-scheduler';
import { replicate, runEpoch } from '@horae/epoch-sim';
import { nextShiftOf } from '@horae/midgard-shift';
import { createRewriteScheduler, footprint, keys, scopeHash } from '@horae/rewrite-reserve';
import { createExecutor, startTimeRing } from '@horae/time-ring';
import { cron } from 'horae';

const url = process.argv.at(-1);
const tried = [];
const trial = async (name, work) => {
  await work();
  tried.push(name);
};

await trial('cron', () => {
  const next = nextOccurrence(parseCron('0 9 * * 1-5'), new Date('2024-06-01T00:00:00Z'), 'Europe/Berlin');
  assert.equal(next.toISOString(), '2024-06-03T07:00:00.000Z');
  assert.throws(() => parseCron('61 * * * *'), isHoraeError);
});

await trial('umbrella', () => {
  assert.equal(cron.formatCron(cron.parseCron('@daily', { dialect: 'vixie' })), '0 0 * * *');
  assert.ok(Object.keys(cron).includes('parseCron'));
});

await trial('require', () => {
  const required = createRequire(import.meta.url)('@horae/cron-grammar');
  assert.equal(required.formatCron(required.parseCron('0 9 * * 1-5')), '0 9 * * 1-5');
});

await trial('tasks in memory', async () => {
  const clock = createManualClock({ now: Date.UTC(2026, 0, 1, 0, 0, 30) });
  const scheduler = createScheduler({ clock });
  let runs = 0;
  await scheduler.initialize([['tick', '* * * * *', async () => void runs++, 60_000]]);
  await clock.advanceBy(31_000);
  assert.ok(runs > 0);
  await scheduler.stop();
});

const queue = {
  epoch: { index: 0, start_at: '2025-07-01T08:00:00', end_at: 480 },
  lock_defs: { counter: { capacity: 2 } },
  action_defs: { visit: { base_duration_min: { kind: 'exponential', mean: 9 }, locks: ['counter'] } },
  arrivals: [{ verb: 'visit', every: { kind: 'exponential', mean: 5 }, id: 'customer {n}' }],
  actions_submitted: [],
};
await trial('simulation', () => assert.ok(runEpoch(queue, { seed: 1 }).schedule_events.length > 50));
await trial('simulation on worker threads', async () => {
  const alone = await replicate(queue, { runs: 4, seed: 1, workers: 0 });
  assert.deepEqual(await replicate(queue, { runs: 4, seed: 1, workers: 2 }), alone);
});

await trial('rewrites', () => {
  const { node } = keys('board');
  const move = (from, to) => ({
    scopeHash: scopeHash(`${from} to ${to}`),
    compactRule: 1,
    scope: node(from),
    phase: 'matched',
    footprint: footprint({ nWrite: [node(from), node(to)] }),
  });
  const scheduler = createRewriteScheduler();
  assert.equal(scheduler.reserve(1, move('a', 'b')), true);
  assert.equal(scheduler.reserve(1, move('b', 'c')), false);
});

await trial('shifts', () => {
  const [anna, ben, cora] = ['a', 'b', 'c'].map((digit) => digit.repeat(56));
  const parameters = { shiftDurationMs: 3_600_000, registrationDurationMs: 86_400_000, requiredBond: 1_000_000n };
  const scheduler = { operator: cora, shiftStart: 0 };
  const state = { scheduler, hubOracle: true, active: [anna, ben, cora], registered: [], retired: [] };
  assert.equal(nextShiftOf(state, anna, 0, parameters).start, 7_200_000);
});

async function ringOn(database) {
  const ring = await startTimeRing({ database });
  await createExecutor({ ring, handlers: { report: ({ params }) => `Report for ${params}` } });
  const { id } = await ring.jobs.add({
    name: 'report',
    handler: 'report',
    schedule: { kind: 'fix-rate', everyMs: 1_000 },
    params: 'everybody',
  });
  const two = new Promise((resolve) => {
    let left = 2;
    ring.events.on('run-succeeded', ({ run }) => --left === 0 && resolve(run.message));
  });
  await ring.jobs.start(id);
  await ring.jobs.trigger(id);
  assert.equal(await two, 'Report for everybody');
  const panel = createConsole({ ring, log: { debug() {}, info() {}, warn() {}, error() {} } });
  await panel.hasUsers();
  const server = createServer(panel.node);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const answer = await fetch(`http://127.0.0.1:${server.address().port}/`);
  assert.equal(answer.status, 200);
  assert.match(await answer.text(), /<html/i);
  panel.close();
  server.close();
  await ring.stop();
}

await trial('ring and console on PostgreSQL', () => ringOn(url));
await trial('tasks on PostgreSQL', async () => {
  const scheduler = createScheduler({ database: url });
  await scheduler.initialize([['digest', '0 9 * * 1-5', async () => {}, '5m']]);
  await scheduler.stop();
});
if (process.argv.at(-2) === 'sqlite') await trial('ring and console on SQLite', () => ringOn('sqlite::memory:'));

console.log(JSON.stringify({ tried }));
