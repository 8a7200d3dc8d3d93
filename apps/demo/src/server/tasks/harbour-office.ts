import type { DeclaredTask } from '../../wire/tasks.js';

const evenMinutes = Array.from({ length: 30 }, (_, i) => i * 2).join(',');

/** The tasks that the demo starts with. Some are due every minute, one fails now and then, one takes long. */
export const harbourOffice: readonly DeclaredTask[] = [
  { name: 'tide-gauge', cron: '* * * * *', retryDelayMs: 5_000, behaviour: 'succeeds', worksMs: 900 },
  { name: 'weather-radio', cron: '* * * * *', retryDelayMs: 6_000, behaviour: 'flaky', worksMs: 1_500 },
  { name: 'customs-sync', cron: '* * * * *', retryDelayMs: 15_000, behaviour: 'succeeds', worksMs: 22_000 },
  { name: 'pilot-roster', cron: `${evenMinutes} * * * *`, retryDelayMs: 10_000, behaviour: 'succeeds', worksMs: 4_000 },
  { name: 'morning-digest', cron: '0 9 * * 1-5', retryDelayMs: 300_000, behaviour: 'succeeds', worksMs: 2_000 },
  { name: 'night-backup', cron: '30 3 * * *', retryDelayMs: 600_000, behaviour: 'succeeds', worksMs: 8_000 },
];
