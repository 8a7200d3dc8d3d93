import { createScheduler, observe } from '@horae/declarative-scheduler';

// Started by killed-process.test.ts and killed while a callback runs. Tells every event as a line of JSON.
const [database, attempt] = process.argv.slice(2);
const scheduler = createScheduler({ database, zone: 'UTC' });
const watch = observe(scheduler);
const tell = (event) => process.stdout.write(`${JSON.stringify(event)}\n`);
for (const name of ['TaskRunStarted', 'TaskRunCompleted', 'SchedulerInitializationCompleted', 'TaskRecordDiscarded'])
  watch.on(name, tell);
// Every minute matches, so that every first registration starts a run at once; the callback of all but the last process never ends.
const never = () => new Promise(() => {});
await scheduler.initialize([
  ['stuck', '* * * * *', attempt === 'last' ? () => {} : never, 60_000],
  ['done', '0 0 1 1 *', () => {}, 60_000],
]);
if (attempt === 'last') {
  await scheduler.stop();
  tell({ event: 'end', tasks: watch.tasks() });
} else {
  setInterval(() => {}, 1_000);
}
