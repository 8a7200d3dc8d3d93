import { seededRandom } from '@horae/clock-store';
import { createManualClock, type ManualClock } from '@horae/clock-store/testing';
import {
  type Callback,
  createScheduler,
  memoryTaskStore,
  type Observation,
  observe,
  type Registration,
  type Scheduler,
  type SchedulerOptions,
  type TaskStore,
  type TraceEvent,
} from '../../src/index.js';

/** A scheduler on a manual clock and a store that outlives it, with what its tasks did written down. */
export interface World {
  readonly clock: ManualClock;
  readonly store: TaskStore;
  /** `name reason hh:mm:ss` of every callback, in order. */
  readonly runs: string[];
  /** A registration whose callback is written down; `work` may fail or wait. */
  task(name: string, cron: string, options?: { retryMs?: number; work?: Callback }): Registration;
  /** A new scheduler on the same clock and store, as after a restart. */
  scheduler(options?: SchedulerOptions): { scheduler: Scheduler; watch: Observation };
  /** Runs since the last call. */
  newRuns(): string[];
}

export function createWorld(now: string, options: { zone?: string; store?: TaskStore } = {}): World {
  const clock = createManualClock({ now });
  const store = options.store ?? memoryTaskStore();
  const runs: string[] = [];
  let told = 0;
  let made = 0;
  return {
    clock,
    store,
    runs,
    task: (name, cron, { retryMs = 60_000, work } = {}) => [
      name,
      cron,
      (context) => {
        runs.push(`${name} ${context.reason} ${timeOf(clock.now())}`);
        return work?.(context);
      },
      retryMs,
    ],
    scheduler(more = {}) {
      const scheduler = createScheduler({
        clock,
        store,
        zone: options.zone ?? 'UTC',
        random: seededRandom(`scheduler ${++made}`),
        ...more,
      });
      return { scheduler, watch: observe(scheduler) };
    },
    newRuns() {
      const since = runs.slice(told);
      told = runs.length;
      return since;
    },
  };
}

/** `hh:mm:ss` in UTC, with milliseconds only where there are any. */
export function timeOf(at: number): string {
  return new Date(at).toISOString().slice(11, 23).replace('.000', '');
}

/** The names of events, without those that only frame a session. */
export function taskEvents(trace: readonly TraceEvent[]): string[] {
  return trace
    .filter(({ taskName }) => taskName !== undefined)
    .map(({ event, taskName, reason }) => [event, taskName, reason].filter(Boolean).join(' '));
}

export function eventNames(trace: readonly TraceEvent[]): string[] {
  return trace.map(({ event }) => event);
}

/** A promise that the test settles. */
export function deferred<T = void>() {
  let resolve!: (value: T) => void;
  let reject!: (error: unknown) => void;
  const promise = new Promise<T>((yes, no) => {
    resolve = yes;
    reject = no;
  });
  return { promise, resolve, reject };
}

export function failing(message = 'on purpose'): () => never {
  return () => {
    throw new Error(message);
  };
}
