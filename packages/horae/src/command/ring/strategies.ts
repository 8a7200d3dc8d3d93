import type { BlockStrategy, MisfireStrategy, RouteStrategy } from '@horae/time-ring';

/** What to do about times that were missed. */
export const misfireStrategies = ['DO_NOTHING', 'FIRE_ONCE_NOW'] as const satisfies readonly MisfireStrategy[];

/** How an executor is chosen. */
export const routeStrategies = [
  'FIRST',
  'LAST',
  'ROUND',
  'RANDOM',
  'CONSISTENT_HASH',
  'LEAST_FREQUENTLY_USED',
  'LEAST_RECENTLY_USED',
  'FAILOVER',
  'BUSYOVER',
  'SHARDING_BROADCAST',
] as const satisfies readonly RouteStrategy[];

/** What an executor does with a run while it is still busy with the job. */
export const blockStrategies = ['SERIAL', 'DISCARD', 'COVER', 'CONCURRENT'] as const satisfies readonly BlockStrategy[];
