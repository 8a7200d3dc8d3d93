import type { JobInput } from 'horae/ring';

/** The jobs of a new database: something happens every second or two. */
export const harbourJobs: readonly (JobInput & { start?: boolean })[] = [
  { name: 'lighthouse', handler: 'blink', schedule: { kind: 'fix-rate', everyMs: 3_000 }, route: 'ROUND', start: true },
  {
    name: 'tide reading',
    handler: 'measure',
    schedule: { kind: 'cron', expression: '0/5 * * * * ?' },
    route: 'LEAST_RECENTLY_USED',
    start: true,
  },
  {
    name: 'foghorn',
    handler: 'flaky',
    schedule: { kind: 'cron', expression: '3/10 * * * * ?' },
    route: 'FAILOVER',
    retries: 2,
    start: true,
  },
  {
    name: 'load containers',
    handler: 'load',
    schedule: { kind: 'cron', expression: '7/15 * * * * ?' },
    route: 'BUSYOVER',
    misfire: 'FIRE_ONCE_NOW',
    timeoutMs: 60_000,
    start: true,
  },
  {
    name: 'sweep the quays',
    handler: 'sweep',
    schedule: { kind: 'cron', expression: '0/20 * * * * ?' },
    route: 'SHARDING_BROADCAST',
    start: true,
  },
  { name: 'inspect a ship', handler: 'load', schedule: { kind: 'none' }, route: 'ROUND' },
];
