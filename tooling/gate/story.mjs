import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { describeCron, nextOccurrence, parseCron } from '@horae/cron-grammar';
import { createScheduler, observe } from '@horae/declarative-scheduler';

// What `npm start` shows: a durable scheduler on an embedded SQLite file. Start it again and it remembers.
const { values } = parseArgs({
  options: { database: { type: 'string', default: 'horae-story.db' }, help: { type: 'boolean', default: false } },
});
if (values.help) {
  console.log('npm start [-- --database FILE]   a small durable scheduler on SQLite; Ctrl-C ends it');
  process.exit(0);
}

const file = resolve(values.database);
const isReturning = existsSync(file);
const time = (at) => new Date(at).toLocaleTimeString('en-GB');
const say = (text) => console.log(`${time(Date.now())}  ${text}`);

const scheduler = createScheduler({ database: `sqlite:${file}` });
const watch = observe(scheduler);
watch.on('TaskRunStarted', ({ taskName, reason }) => say(`${taskName} starts (${reason})`));
watch.on('TaskRetryStarted', ({ taskName, attempt }) => say(`${taskName} is tried again, attempt ${attempt}`));
watch.on('TaskRunCompleted', ({ taskName }) => say(`${taskName} is done`));
watch.on('TaskRunFailed', ({ taskName, error, retryAt }) =>
  say(`${taskName} failed: ${error.message}; again at ${time(retryAt)}`),
);
watch.on('StoreFailed', ({ error }) => say(`the database does not answer: ${error.message}`));

let tries = 0;
const tasks = [
  ['heartbeat', '* * * * *', async () => {}, 5_000],
  [
    'flaky',
    '* * * * *',
    async () => {
      if (++tries % 3 !== 0) throw new Error('not yet');
    },
    3_000,
  ],
  ['nightly', '30 3 * * *', async () => {}, 60_000],
];

console.log(
  isReturning ? `Continuing with ${join('.', values.database)}.` : `Tasks are kept in ${join('.', values.database)}.`,
);
for (const [name, cron] of tasks) {
  const expression = parseCron(cron);
  console.log(
    `  ${name.padEnd(10)} ${cron.padEnd(12)} ${describeCron(expression)}; next ${new Date(nextOccurrence(expression, Date.now())).toLocaleString('en-GB')}`,
  );
}
await scheduler.initialize(tasks);
for (const { name, origin, lastSuccessAt } of watch.tasks()) {
  if (lastSuccessAt !== null)
    console.log(`  ${name} is ${origin}; it last succeeded on ${new Date(lastSuccessAt).toLocaleString('en-GB')}`);
}
console.log('Ctrl-C ends it; start it again to see that it remembers.');

let isStopping = false;
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.on(signal, async () => {
    if (isStopping) process.exit(1);
    isStopping = true;
    await scheduler.stop({ deadlineMs: 5_000 });
    console.log('Stopped; everything is recorded.');
    process.exit(0);
  });
}
