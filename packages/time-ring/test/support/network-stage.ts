import { createManualClock } from '@horae/clock-store/testing';
import { expect, onTestFinished, vi } from 'vitest';
import {
  createExecutor,
  type ExecutorOptions,
  type Handler,
  type JobInput,
  type RingEvents,
  type RingHttpOptions,
  type RingOptions,
  type Run,
  type RunContext,
  startTimeRing,
  type TimeRing,
} from '../../src/index.js';
import { ringEventNames } from '../../src/model/events.js';
import { isOver } from '../../src/model/run.js';
import { networkPlace } from './network-databases.js';
import { START } from './ring-stage.js';

/** A node with its HTTP side on a free port, on the test's database, in the machine's time unless a clock is given. */
export async function networkStage(options: Partial<RingOptions> = {}) {
  const { http, ...rest } = options;
  const ring = await startTimeRing({ ...networkPlace(), ...rest, http: { port: 0, ...http } });
  onTestFinished(() => ring.stop({ deadlineMs: 0 }));
  const heard: { name: keyof RingEvents; event: RingEvents[keyof RingEvents] }[] = [];
  for (const name of ringEventNames) ring.events.on(name, (event) => void heard.push({ name, event }));
  /** Resolves when an executor has accepted the run. */
  const accepted = (runId: number) =>
    eventually(() => {
      const isStarted = heard.some(
        ({ name, event }) => name === 'run-started' && (event as { run: Run }).run.id === runId,
      );
      if (!isStarted) throw new Error(`Run ${runId} has not started`);
    });
  return { ring, url: ring.http!.url, heard, accepted, ...verbs(ring) };
}

/**
 * A node whose clock stands still. `advance` goes on second by second and waits for the pass of each: a database on a server answers in
 * its own time, which a manual clock cannot wait for.
 */
export async function standingStage(http: Partial<RingHttpOptions> = {}) {
  const clock = createManualClock({ now: START });
  const stage = await networkStage({ clock, http: { port: 0, ...http } });
  const advance = async (ms: number) => {
    for (let left = ms; left > 0; left -= 1_000) {
      await clock.advanceBy(Math.min(1_000, left));
      const at = Math.floor(clock.now() / 1_000) * 1_000;
      await eventually(() => expect(stage.ring.health().lastPassAt ?? START).toBeGreaterThanOrEqual(at));
    }
  };
  return { ...stage, clock, advance };
}

/** What tests do with a ring. */
export function verbs(ring: TimeRing) {
  return {
    /** Adds a job that fires only when it is triggered. */
    job: (input: Partial<JobInput> & { start?: boolean } = {}) =>
      ring.jobs.add({ name: 'work', handler: 'work', schedule: { kind: 'none' }, ...input }),
    /** Resolves when the run is over. */
    ended: (runId: number) =>
      eventually(async () => {
        const run = (await ring.runs.get(runId))!;
        if (!isOver(run.state)) throw new Error(`Run ${runId} is ${run.state}`);
        return run;
      }),
    /** Resolves when the run waits for a reason. */
    waiting: (runId: number, reason: NonNullable<Run['waitingFor']>) =>
      eventually(async () => {
        const run = (await ring.runs.get(runId))!;
        if (run.state !== 'pending' || run.waitingFor !== reason) {
          throw new Error(`Run ${runId} is ${run.state} and waits for ${run.waitingFor}`);
        }
        return run;
      }),
    /** Resolves when all runs of a fire are over, as many as there should be. */
    allEnded: (fireId: number, count: number) =>
      eventually(async () => {
        const { runs } = await ring.runs.list({ fireId, limit: 1_000 });
        if (runs.length !== count || !runs.every(({ state }) => isOver(state))) {
          throw new Error(`Fire ${fireId}: ${runs.map(({ id, state }) => `${id} ${state}`).join(', ')}`);
        }
        return [...runs].reverse() as Run[];
      }),
    /** Resolves when so many executors are registered. */
    registered: (count: number, group?: string) =>
      eventually(async () => {
        const executors = await ring.executors.list(group);
        if (executors.length !== count) throw new Error(`${executors.length} executors are registered`);
        return executors;
      }),
  };
}

/** An executor of ours behind HTTP that is gone when the test is. */
export async function remoteExecutor(options: Omit<ExecutorOptions, 'ring'> & { ring: string | readonly string[] }) {
  const executor = await createExecutor(options);
  onTestFinished(() => executor.stop());
  return executor;
}

/** Waits for something that other processes or sockets bring about. */
export function eventually<Result>(look: () => Result | Promise<Result>): Promise<Result> {
  return vi.waitFor(look, { timeout: 60_000, interval: 10 });
}

/** A handler whose runs end when the test says so; it keeps every context. */
export function heldHandler() {
  const contexts: RunContext[] = [];
  const ends = new Map<number, (value?: unknown) => void>();
  const handler: Handler = (context) => {
    contexts.push(context);
    return new Promise((resolve) => ends.set(context.runId, resolve));
  };
  const begun = (runId: number) =>
    eventually(() => {
      const context = contexts.find((one) => one.runId === runId);
      if (context === undefined) throw new Error(`Run ${runId} has not begun`);
      return context;
    });
  return { handler, contexts, begun, end: (runId: number, value?: unknown) => ends.get(runId)!(value) };
}
