import { type EpochMs, seededRandom } from '@horae/clock-store';
import { type HoraeDatabase, openDatabase } from '@horae/clock-store/storage';
import { createManualClock, type ManualClock } from '@horae/clock-store/testing';
import {
  createExecutor,
  type Handler,
  type JobInput,
  type RingEvents,
  type RingOptions,
  type Run,
  startTimeRing,
  type TimeRing,
} from '../../src/index.js';
import { ringEventNames } from '../../src/model/events.js';
import { networkPlace } from './network-databases.js';

export const START = Date.parse('2026-01-01T00:00:00Z');
export const EVERY_SECOND = { kind: 'cron', expression: '* * * * * ?' } as const;
export const NEVER = { kind: 'none' } as const;

/** An event as it was heard. */
export type Heard = { [Name in keyof RingEvents]: { name: Name; event: RingEvents[Name] } }[keyof RingEvents];

/** One database (that of `onEveryDatabase`, else one in memory) and a clock that stands still, with as many nodes as a test wants. */
export interface Stage extends AsyncDisposable {
  readonly clock: ManualClock;
  readonly database: HoraeDatabase;
  /** Another node on the same database. */
  node(options?: Partial<RingOptions>): Promise<TimeRing>;
}

export interface RingStage extends Stage {
  readonly ring: TimeRing;
  readonly heard: Heard[];
  /** Adds an executor of the group 'default' with these handlers. */
  executor(handlers: Record<string, Handler>, address?: string): ReturnType<typeof createExecutor>;
  /** Adds a job with a handler of its own name. */
  job(input: Partial<JobInput> & { start?: boolean }): ReturnType<TimeRing['jobs']['add']>;
  /** All runs, oldest first. */
  runs(query?: Parameters<TimeRing['runs']['list']>[0]): Promise<readonly Run[]>;
  names(): string[];
}

export async function createStage(at: EpochMs = START): Promise<Stage> {
  const clock = createManualClock({ now: at });
  const place = networkPlace();
  const database = await openDatabase(place.database, { clock });
  const nodes: TimeRing[] = [];
  return {
    clock,
    database,
    async node(options = {}) {
      const ring = await startTimeRing({
        ...{ database, clock, claim: place.claim, random: seededRandom(nodes.length) },
        ...options,
      });
      nodes.push(ring);
      return ring;
    },
    async [Symbol.asyncDispose]() {
      const stops = nodes.map((ring) => ring.stop({ deadlineMs: 0 }));
      await Promise.all(stops);
      await database.close();
    },
  };
}

export async function createRingStage(options: Partial<RingOptions> = {}, at: EpochMs = START): Promise<RingStage> {
  const stage = await createStage(at);
  const ring = await stage.node(options);
  const heard = listen(ring);
  return {
    ...stage,
    ring,
    heard,
    executor: (handlers, address) => createExecutor({ ring, handlers, ...(address === undefined ? {} : { address }) }),
    job: (input) => {
      const name = input.name ?? 'work';
      return ring.jobs.add({ name, handler: name, schedule: NEVER, ...input });
    },
    runs: async (query = {}) =>
      [...(await ring.runs.list({ limit: 1_000, include: ['params', 'result'], ...query })).runs].reverse(),
    names: () => heard.map(({ name }) => name),
  };
}

export function listen(ring: TimeRing): Heard[] {
  const heard: Heard[] = [];
  for (const name of ringEventNames) ring.events.on(name, (event) => heard.push({ name, event } as Heard));
  return heard;
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

/** Seconds after the start, for short expectations. */
export function seconds(at: EpochMs | null): number | null {
  return at === null ? null : (at - START) / 1_000;
}

/** The states of all runs, the oldest first. */
export const states = async (stage: RingStage) => (await stage.runs()).map(({ state }) => state);

/** A handler that works until it is let go, run by run. */
export function held() {
  const runs: { runId: number; signal: AbortSignal; go: ReturnType<typeof deferred<unknown>> }[] = [];
  const handler: Handler = ({ runId, signal }) => {
    const go = deferred<unknown>();
    runs.push({ runId, signal, go });
    return go.promise;
  };
  return { runs, handler };
}
