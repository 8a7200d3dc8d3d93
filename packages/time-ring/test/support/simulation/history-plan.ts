import type { Random } from '@horae/clock-store';
import type { BlockStrategy, JobInput, RouteStrategy } from '../../../src/model/job.js';
import type { StoreFate, StoreFault } from './faulty-store.js';

/** How rough a history is. `calm`: nothing goes wrong. `crashes`: machines die, one is always left. `storm`: everything. */
export type Weather = 'calm' | 'crashes' | 'storm';

/** What is decided about a history before it begins. */
export interface HistoryPlan {
  readonly weather: Weather;
  readonly claim: 'lock-row' | 'buckets';
  /** Whether the nodes ask the database for the time, and may then be off by any amount themselves. */
  readonly hasSharedClock: boolean;
  readonly hasClockSteps: boolean;
  readonly faultsPerMille: number;
  readonly nodes: number;
  readonly steps: number;
  readonly jobs: readonly JobInput[];
  /** Users also ask for runs with a key and a delay, retry runs and cancel them. */
  readonly hasAsking: boolean;
}

/** Jobs that nothing but their schedule moves come first; the others are for users to play with. */
export const STEADY_JOBS = 3;
export const MISFIRE_MS = 5_000;
export const PRE_READ_MS = 5_000;
export const LEASE_MS = 3_000;

export function planHistory(random: Random): HistoryPlan {
  const weather = oneOf(random, ['calm', 'crashes', 'storm', 'storm', 'storm', 'storm'] as const);
  const isStorm = weather === 'storm';
  return {
    weather,
    claim: oneOf(random, ['lock-row', 'buckets']),
    hasSharedClock: random.below(2) === 0,
    hasClockSteps: isStorm && random.below(4) === 0,
    faultsPerMille: isStorm ? oneOf(random, [0, 10, 40, 120]) : 0,
    nodes: 1 + random.below(3),
    steps: 4 + random.below(9),
    hasAsking: false,
    jobs: [parent(random), child(random), broadcast(random), ...Array.from({ length: 2 }, () => plaything(random))],
  };
}

function parent(random: Random): JobInput {
  return { ...anyJob(random, 'parent'), schedule: { kind: 'fix-rate', everyMs: 1_000 + random.below(2_000) } };
}

function child(random: Random): JobInput {
  return { ...anyJob(random, 'child'), schedule: { kind: 'none' } };
}

function broadcast(random: Random): JobInput {
  const expression = oneOf(random, ['* * * * * ?', '*/2 * * * * ?', '*/5 * * * * ?']);
  return { ...anyJob(random, 'broadcast'), route: 'SHARDING_BROADCAST', schedule: { kind: 'cron', expression } };
}

function plaything(random: Random): JobInput {
  return anyJob(random, 'plaything');
}

function anyJob(random: Random, name: string): JobInput {
  return {
    name,
    handler: 'work',
    schedule: anySchedule(random),
    misfire: oneOf(random, ['DO_NOTHING', 'FIRE_ONCE_NOW']),
    route: oneOf<RouteStrategy>(random, ['FIRST', 'LAST', 'ROUND', 'RANDOM', 'BUSYOVER', 'LEAST_RECENTLY_USED']),
    block: oneOf<BlockStrategy>(random, ['SERIAL', 'SERIAL', 'DISCARD', 'COVER', 'CONCURRENT']),
    concurrency: 1 + random.below(3),
    retries: random.below(3),
    priority: random.below(3),
    timeoutMs: oneOf(random, [null, 1_500]),
  };
}

export function anySchedule(random: Random): JobInput['schedule'] {
  if (random.below(3) === 0) return { kind: 'fix-rate', everyMs: 1_000 + random.below(3_000) };
  return { kind: 'cron', expression: oneOf(random, ['* * * * * ?', '*/3 * * * * ?', '1/4 * * * * ?']) };
}

const FATES: readonly StoreFate[] = [
  'fail',
  'roll-back',
  'lose-answer',
  'contend',
  'late-call',
  'late-answer',
  'crash',
  'crash-after',
];

/** What meets a call to the store: mostly nothing. */
export function drawFault(random: Random, perMille: number): StoreFault | null {
  if (perMille === 0 || random.below(1_000) >= perMille) return null;
  return { fate: oneOf(random, FATES), delayMs: 1 + random.below(random.below(4) === 0 ? 6_000 : 700) };
}

export function oneOf<T>(random: Random, choices: readonly T[]): T {
  return choices[random.below(choices.length)]!;
}
