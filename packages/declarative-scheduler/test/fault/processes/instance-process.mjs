import { parseCalendar, parseCron } from '@horae/cron-grammar';
import { createScheduler, observe } from '@horae/declarative-scheduler';

// Started by instance-processes.test.ts: one of several instances on one database. Writes every event as a line of JSON.
const [database, mode] = process.argv.slice(2);
const scheduler = createScheduler({ database, zone: 'UTC', dialect: 'quartz' });
const watch = observe(scheduler);
const report = (event) => process.stdout.write(`${JSON.stringify(event)}\n`);
const events = [
  'SchedulerInitializationStarted',
  'SchedulerInitializationCompleted',
  'SchedulerInitializationFailed',
  'SchedulerStopRequested',
  'SchedulerStopped',
  'SchedulerRoleChanged',
  'PollingStarted',
  'PollingStopRequested',
  'PollingStopped',
  'TaskRunStarted',
  'TaskRunCompleted',
  'TaskRunFailed',
  'TaskRetryStarted',
  'TaskRetryPreempted',
  'StoreFailed',
];
for (const name of events) watch.on(name, ({ error, ...event }) => report({ ...event, error: error && String(error) }));

// Started at once by the first process that leads; in a process that hangs it ends only when its signal is aborted.
const long = ({ signal }) =>
  mode === 'hang'
    ? new Promise((_, reject) => {
        signal.addEventListener('abort', () => {
          report({ event: 'Aborted', at: Date.now(), reason: signal.reason.name });
          reject(signal.reason);
        });
      })
    : undefined;

const everyThird = parseCron('0/3 * * * * ?', { dialect: 'quartz' });

process.on('SIGTERM', async () => {
  await scheduler.stop({ deadlineMs: 0 });
  process.exit(0);
});
await scheduler.initialize(
  [
    ['long', '* * * * *', long, 3_600_000],
    ['often', '* * * * * ?', () => {}, 3_600_000],
  ],
  // Every third second is excluded; the trace carries that through JSON.
  { tasks: { long: { dialect: 'posix' }, often: { except: [parseCalendar({ cron: everyThird })] } } },
);
report({ event: 'initialized', at: Date.now() });
setInterval(() => {}, 1_000);
