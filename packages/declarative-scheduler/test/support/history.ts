import { type Clock, type Random, seededRandom } from '@horae/clock-store';
import { createManualClock, type ManualClock } from '@horae/clock-store/testing';
import {
  createScheduler,
  memoryTaskStore,
  observe,
  type Registration,
  type TaskStore,
  type TraceEvent,
} from '../../src/index.js';

/** What may happen in a history; a test switches things off or breaks them. */
export interface HistoryOptions {
  /** Wraps the durable store of a session, to break it. */
  readonly breakStore?: (store: TaskStore) => TaskStore;
}

const expressions = [
  '* * * * *',
  '0,15,30,45 * * * *',
  '0 * * * *',
  '5 10 * * *',
  '1-59 * * * *',
  '0 0 * * 0',
  '30 2 * * *',
  '59 23 31 12 *',
];
const zones = ['UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kolkata'];

/** A trace and what the checker has to know about the scheduler. */
export interface History {
  readonly trace: TraceEvent[];
  readonly options: { readonly zone: string; readonly concurrency?: number };
}

/** A whole seeded history of sessions, failures, outages, clock steps and crashes on one store, as one trace. */
export async function randomHistory(seed: string, options: HistoryOptions = {}): Promise<History> {
  const random = seededRandom(seed);
  const zone = pick(random, zones);
  const clock = createManualClock({
    now: Date.UTC(2026, random.below(12), 1 + random.below(28), random.below(24), random.below(60)),
  });
  const durable = memoryTaskStore();
  const trace: TraceEvent[] = [];
  let registrations = declare(random, 1 + random.below(5));
  const limits: Limits = {
    concurrency: random.below(4) === 0 ? { concurrency: 1 + random.below(3) } : {},
    timeout: random.below(4) === 0 ? { taskTimeout: 1_000 + random.below(120_000) } : {},
  };
  const sessions = 1 + random.below(4);
  for (let session = 0; session < sessions; session++) {
    if (random.below(3) === 0) registrations = change(random, registrations);
    trace.push(...(await oneSession(random, clock, durable, registrations, { zone, limits, ...options })));
    await clock.advanceBy(downtime(random));
  }
  return { trace, options: { zone, ...limits.concurrency } };
}

async function oneSession(
  random: Random,
  clock: ManualClock,
  durable: TaskStore,
  registrations: readonly Registration[],
  { zone, limits, breakStore }: HistoryOptions & { zone: string; limits: Limits },
): Promise<TraceEvent[]> {
  // A callback that outlives its limit holds its task up, which a trace does not show: with a limit, callbacks obey.
  const isObedient = 'taskTimeout' in limits.timeout;
  const mortal = createMortal(clock, breakStore?.(durable) ?? durable, random, isObedient);
  const scheduler = createScheduler({
    clock: mortal.clock,
    store: mortal.store,
    zone,
    random: seededRandom(random.uint32()),
    ...limits.concurrency,
    ...limits.timeout,
  });
  const watch = observe(scheduler);
  mortal.use(registrations);
  await scheduler.initialize(mortal.registrations);
  for (let step = 0; step < 4; step++) await disturb(random, clock, mortal);
  if (random.below(3) === 0) {
    const cut = watch.trace();
    mortal.die();
    return [...cut, { event: 'Crash', at: clock.now(), monotonicMs: clock.monotonicMs() }];
  }
  const stopped = scheduler.stop(random.below(2) === 0 ? { deadlineMs: random.below(60_000) } : {});
  // Whatever still runs ends within this time, and so does an outage.
  await clock.advanceBy(70_000);
  mortal.isDown = false;
  await clock.advanceBy(40_000);
  await stopped;
  return watch.trace();
}

async function disturb(random: Random, clock: ManualClock, mortal: Mortal): Promise<void> {
  const kind = random.below(10);
  if (kind === 0) mortal.isDown = !mortal.isDown;
  else if (kind === 1) await clock.jumpTo(clock.now() + random.below(4 * 3_600_000));
  else if (kind === 2) await clock.jumpTo(clock.now() - random.below(2 * 3_600_000));
  await clock.advanceBy(random.below(4 * 60_000));
}

interface Limits {
  readonly concurrency: { readonly concurrency?: number };
  readonly timeout: { readonly taskTimeout?: number };
}

interface Mortal {
  readonly clock: Clock;
  readonly store: TaskStore;
  readonly registrations: Registration[];
  isDown: boolean;
  use(registrations: readonly Registration[]): void;
  /** From now on nothing of this process happens any more. */
  die(): void;
}

/** The ports of a process that can die: afterwards its sleeps never end and its writes reach nothing. */
function createMortal(clock: ManualClock, durable: TaskStore, random: Random, isObedient: boolean): Mortal {
  let isDead = false;
  const never = new Promise<never>(() => {});
  const alive = async <T>(work: Promise<T>): Promise<T> => {
    const result = await work;
    return isDead ? never : result;
  };
  const reach = <T>(work: () => Promise<T>): Promise<T> => {
    if (isDead) return never;
    if (mortal.isDown) return Promise.reject(new Error('the store is down'));
    return alive(work());
  };
  const mortal: Mortal = {
    clock: {
      now: () => clock.now(),
      monotonicMs: () => clock.monotonicMs(),
      sleepUntil: (at, options) => alive(clock.sleepUntil(at, options)),
      sleepFor: (ms, options) => alive(clock.sleepFor(ms, options)),
    },
    store: {
      ...durable,
      load: () => reach(() => durable.load()),
      apply: (changed) => reach(() => durable.apply(changed)),
      save: (records) => reach(() => durable.save(records)),
    },
    registrations: [],
    isDown: false,
    use(registrations) {
      for (const [name, cron, , delay] of registrations) {
        this.registrations.push([
          name,
          cron,
          ({ signal }) => work(random, this.clock, isObedient || random.below(2) === 0 ? { signal } : {}),
          delay,
        ]);
      }
    },
    die() {
      isDead = true;
    },
  };
  return mortal;
}

export async function work(random: Random, clock: Clock, obey: { signal?: AbortSignal }): Promise<void> {
  const kind = random.below(6);
  if (kind === 0) throw new Error('at once');
  if (kind >= 4) await clock.sleepFor(random.below(kind === 4 ? 5_000 : 100_000), obey);
  if (random.below(4) === 0) throw new Error('after a while');
}

export function declare(random: Random, count: number): Registration[] {
  return Array.from({ length: count }, (_, i) => [
    `task-${i}`,
    pick(random, expressions),
    () => {},
    pick(random, [0, 1, 5_000, 60_000, 600_000]),
  ]);
}

export function change(random: Random, before: readonly Registration[]): Registration[] {
  const after = declare(random, 1 + random.below(5));
  return after.map((registration, i) => (before[i] !== undefined && random.below(2) === 0 ? before[i] : registration));
}

function downtime(random: Random): number {
  return [1, 30_000, 20 * 60_000, 5 * 3_600_000, 40 * 86_400_000][random.below(5)]!;
}

export function pick<T>(random: Random, from: readonly T[]): T {
  return from[random.below(from.length)]!;
}
