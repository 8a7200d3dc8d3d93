import { type Clock, type Random, seededRandom } from '@horae/clock-store';
import { createManualClock, type ManualClock } from '@horae/clock-store/testing';
import {
  control,
  createScheduler,
  type EventName,
  memoryTaskStore,
  observe,
  type Registration,
  type Scheduler,
  type TaskStore,
  type TraceEvent,
} from '../../src/index.js';
import { change, declare, work } from './history.js';

export interface InstancesOptions {
  /** Wraps the store of every instance, to break it. */
  readonly breakStore?: (store: TaskStore) => TaskStore;
}

const EVENTS: readonly EventName[] = [
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
  'TaskPaused',
  'TaskResumed',
  'TaskRetryCancelled',
  'StoreFailed',
  'TaskRecordDiscarded',
];

interface World {
  readonly random: Random;
  readonly clock: ManualClock;
  readonly durable: TaskStore;
  readonly trace: TraceEvent[];
  isDown: boolean;
}

/** A process that can be frozen, thawed and killed. */
interface Instance {
  readonly scheduler: Scheduler;
  readonly isStopped: boolean;
  freeze(): void;
  thaw(): void;
  kill(): void;
  stop(): void;
}

/** Two or three instances on one store, through deploys, crashes, freezes, outages and clock steps, as one trace. */
export async function instancesHistory(seed: string, options: InstancesOptions = {}): Promise<TraceEvent[]> {
  const random = seededRandom(seed);
  const clock = createManualClock({ now: Date.UTC(2026, 2, 1, random.below(24), random.below(60), random.below(60)) });
  const store = memoryTaskStore();
  const durable = options.breakStore?.(store) ?? store;
  const world: World = { random, clock, durable, trace: [], isDown: false };
  let registrations = declare(random, 1 + random.below(4));
  let instances: Instance[] = [];
  const wanted = 2 + random.below(2);
  for (let step = 0; step < 14; step++) {
    instances = instances.filter(({ isStopped }) => !isStopped);
    if (instances.length < wanted) {
      if (random.below(5) === 0) registrations = change(random, registrations);
      instances.push(startInstance(world, registrations));
    } else disturb(world, instances[random.below(instances.length)]!);
    await clock.advanceBy(random.below(4) === 0 ? 60_000 : random.below(9_000));
  }
  world.isDown = false;
  for (const instance of instances) instance.thaw();
  await clock.advanceBy(10_000);
  for (const instance of instances) instance.stop();
  await clock.advanceBy(20_000);
  return world.trace;
}

function disturb(world: World, instance: Instance): void {
  const { random } = world;
  const kind = random.below(9);
  if (kind <= 1) instance.kill();
  else if (kind === 2) instance.stop();
  else if (kind <= 4) {
    instance.freeze();
    // Long enough to lose the lease, or not; never so long that nobody could start what is due.
    void world.clock.sleepFor(500 + random.below(15_000)).then(() => instance.thaw());
  } else if (kind === 5) world.isDown = !world.isDown;
  else byHand(random, instance.scheduler);
}

/** What a standby, an unknown task or a failing store refuses is no matter here. */
function byHand(random: Random, scheduler: Scheduler): void {
  const by = control(scheduler);
  const name = `task-${random.below(4)}`;
  const acts = [by.runNow, by.pause, by.resume, by.resume, by.cancelRetry] as ((
    taskName: string,
  ) => Promise<unknown>)[];
  acts[random.below(acts.length)]!(name).catch(() => {});
}

function startInstance(world: World, registrations: readonly Registration[]): Instance {
  const { clock, trace, random } = world;
  const state = { isDead: false, isStopped: false };
  let thaw: (() => void) | null = null;
  let frozen: Promise<void> | null = null;
  /** The result, once the process is not frozen; never when it is dead. */
  async function alive<T>(result: Promise<T>): Promise<T> {
    const settled = await result.then(
      (value) => ({ value }),
      (error: unknown) => ({ error }),
    );
    while (frozen !== null) await frozen;
    if (state.isDead) return new Promise<never>(() => {});
    if ('error' in settled) throw settled.error;
    return settled.value;
  }
  const mortal: Clock = {
    now: () => clock.now(),
    monotonicMs: () => clock.monotonicMs(),
    sleepUntil: (at, options) => alive(clock.sleepUntil(at, options)),
    sleepFor: (ms, options) => alive(clock.sleepFor(ms, options)),
  };
  const scheduler = createScheduler({
    clock: mortal,
    store: mortalStore(world, alive, () => state.isDead || frozen !== null),
    zone: 'UTC',
    instances: 'standby',
    random: seededRandom(random.uint32()),
  });
  let schedulerId: string | undefined;
  for (const name of EVENTS) {
    observe(scheduler).on(name, (event) => {
      schedulerId = event.schedulerId;
      if (!state.isDead) trace.push(event);
    });
  }
  const tasks = registrations.map(
    ([name, cron, , delay]): Registration => [name, cron, ({ signal }) => work(random, mortal, { signal }), delay],
  );
  scheduler.initialize(tasks).catch(() => {
    state.isStopped = true;
  });
  return {
    scheduler,
    get isStopped() {
      return state.isStopped || state.isDead;
    },
    freeze() {
      frozen ??= new Promise((resolve) => {
        thaw = resolve;
      });
    },
    thaw() {
      frozen = null;
      thaw?.();
    },
    kill() {
      state.isDead = true;
      const { monotonicMs, ...at } = { at: clock.now(), monotonicMs: clock.monotonicMs() };
      trace.push({ event: 'Crash', ...at, monotonicMs, ...(schedulerId === undefined ? {} : { schedulerId }) });
    },
    stop() {
      scheduler.stop({ deadlineMs: 5_000 }).then(() => {
        state.isStopped = true;
      });
    },
  };
}

/** The store as one process reaches it: not at all while it is dead or frozen, or while the database is down. */
function mortalStore(world: World, alive: <T>(result: Promise<T>) => Promise<T>, isAway: () => boolean): TaskStore {
  const { durable } = world;
  const reach = <T>(call: () => Promise<T>): Promise<T> =>
    alive(
      (async () => {
        // A frozen process sends nothing; what it would have sent goes out when it is thawed.
        if (isAway()) await alive(Promise.resolve());
        if (world.isDown) throw new Error('the database is down');
        return call();
      })(),
    );
  return {
    ...durable,
    load: () => reach(() => durable.load()),
    apply: (changed, fence) => reach(() => durable.apply(changed, fence)),
    save: (records, fence) => reach(() => durable.save(records, fence)),
    claim: (claimant, over) =>
      reach(async () => {
        const outcome = await durable.claim!(claimant, over);
        if (outcome.kind === 'held') return outcome;
        const { lease } = outcome;
        const renew = () => reach(() => lease.renew());
        return { kind: 'granted' as const, lease: { ...lease, renew, release: () => reach(() => lease.release()) } };
      }),
  };
}
