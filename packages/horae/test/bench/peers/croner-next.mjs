import { Cron } from 'croner';

const job = new Cron('0 9 * * 1-5', { timezone: 'Europe/Berlin' });
console.log(
  job
    .nextRuns(5)
    .map((at) => at.toISOString())
    .join('\n'),
);
