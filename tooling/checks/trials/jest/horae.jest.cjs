const { createManualClock } = require('@horae/clock-store/testing');
const { nextOccurrence, parseCron } = require('@horae/cron-grammar');
const { createScheduler } = require('@horae/declarative-scheduler');
const { createExecutor, startTimeRing } = require('@horae/time-ring');
const { sim } = require('horae');

test('cron, and the umbrella', () => {
  const next = nextOccurrence(parseCron('0 9 * * 1-5'), new Date('2026-01-02T12:00:00Z'), 'UTC');
  expect(Number(next)).toBe(Date.UTC(2026, 0, 5, 9));
  expect(typeof sim.runEpoch).toBe('function');
});

test('a scheduler runs a task when its clock comes to it', async () => {
  const clock = createManualClock({ now: Date.UTC(2026, 0, 1, 0, 0, 30) });
  const scheduler = createScheduler({ clock });
  const ran = jest.fn();
  await scheduler.initialize([['every minute', '* * * * *', ran, 60_000]]);
  await clock.advanceBy(31_000);
  expect(ran).toHaveBeenCalled();
  await scheduler.stop();
});

test('a ring runs a job on SQLite', async () => {
  const ring = await startTimeRing({ database: 'sqlite::memory:' });
  await createExecutor({ ring, handlers: { report: ({ params }) => `Report for ${params}` } });
  const { id } = await ring.jobs.add({ name: 'report', handler: 'report', schedule: { kind: 'none' } });
  const done = new Promise((resolve) => ring.events.on('run-succeeded', ({ run }) => resolve(run.message)));
  await ring.jobs.trigger(id, { params: 'Jest' });
  expect(await done).toBe('Report for Jest');
  await ring.stop();
});
