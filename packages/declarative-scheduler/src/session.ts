import { createSupervisedLoop, type EpochMs, invariant, type NextPass, type SupervisedLoop } from '@horae/clock-store';
import { type ActiveTask, activate, viewOf } from './active-task.js';
import { decideRun } from './decide-run.js';
import { DueHeap } from './due-heap.js';
import { withLongestNap } from './longest-nap.js';
import type { ResolvedTask } from './resolve-overrides.js';
import { STORE_BACKOFF } from './result-writer.js';
import { RunTracker, type RunTrackerOptions, type Start } from './run-tracker.js';
import { startRun } from './task-transitions.js';

export interface SessionOptions extends Omit<RunTrackerOptions, 'taskCount' | 'onStoreFailure' | 'onIdle'> {
  readonly zone: string;
  readonly concurrency: number;
}

/** The time from `initialize` to the end of `stop`: tasks, the loop that starts them, and what they leave to be recorded. */
export interface Session {
  readonly tasks: readonly ActiveTask[];
  /** Starts polling; resolves after the first look at the tasks. */
  begin(): Promise<void>;
  /** Resolves when the runs are over, or cut off at the deadline. Called from inside a run it does not wait for that run. */
  stop(options: { deadlineMs?: number | undefined }): Promise<void>;
  /** Resolves when nothing of the session is left. */
  readonly finished: Promise<void>;
}

const LONGEST_NAP_MS = 60_000;
const MOST_STARTS_A_PASS = 10_000;

/** A session that is not polling yet. */
export function createSession(resolved: readonly ResolvedTask[], options: SessionOptions): Session {
  return new PollingSession(resolved, options);
}

class PollingSession implements Session {
  readonly tasks: readonly ActiveTask[];
  readonly finished: Promise<void>;
  private readonly heap = new DueHeap<ActiveTask>();
  private readonly runs: RunTracker;
  private readonly loop: SupervisedLoop;
  private readonly stopping = new AbortController();
  private looping: Promise<void> = Promise.resolve();
  /** What the loop sleeps towards; anything earlier has to wake it. */
  private wakesAt = Number.POSITIVE_INFINITY;
  private readonly firstPass = signalled();
  private readonly end = signalled();

  constructor(
    resolved: readonly ResolvedTask[],
    private readonly options: SessionOptions,
  ) {
    const { clock, random, zone, events, log } = options;
    this.tasks = resolved.map((task, order) => activate(task, order, zone));
    this.finished = this.end.promise;
    const onFailure = (error: unknown) => {
      events.tell('StoreFailed', { error });
      log.error({ err: error }, 'The task store failed; trying again');
    };
    this.runs = new RunTracker({
      ...options,
      taskCount: this.tasks.length,
      onStoreFailure: onFailure,
      onIdle: (task) => this.makeRoom(task),
    });
    this.loop = createSupervisedLoop({
      clock: withLongestNap(clock, LONGEST_NAP_MS),
      random,
      backoff: STORE_BACKOFF,
      pass: () => this.pass(),
      onFailure,
    });
  }

  async begin(): Promise<void> {
    for (const task of this.tasks) this.schedule(task);
    this.looping = this.loop.run(this.stopping.signal);
    await this.firstPass.promise;
  }

  async stop({ deadlineMs }: { deadlineMs?: number | undefined }): Promise<void> {
    this.requestStop();
    const { isInside } = await this.runs.over(deadlineMs);
    // The end is told when the run that asks is over as well.
    if (!isInside) await this.finished;
  }

  private requestStop(): void {
    if (this.stopping.signal.aborted) return;
    this.options.events.tell('SchedulerStopRequested');
    if (this.tasks.length > 0) this.options.events.tell('PollingStopRequested');
    this.stopping.abort();
    void this.finish();
  }

  private async finish(): Promise<void> {
    const { store, events, log } = this.options;
    await this.looping;
    await this.runs.quiet.reached();
    await this.runs.close();
    this.heap.clear();
    await store.close().catch((error: unknown) => log.warn({ err: error }, 'The task store did not close'));
    if (this.tasks.length > 0) events.tell('PollingStopped');
    const { leftBehind } = this.runs;
    events.tell('SchedulerStopped', leftBehind === undefined ? {} : { reason: leftBehind });
    this.end.resolve();
  }

  private schedule(task: ActiveTask): void {
    if (this.stopping.signal.aborted) return;
    const busy = this.options.unsettled.get(task.declared.name);
    if (busy !== undefined) {
      // One task never runs twice at once, not even beside a callback that outlived its limit or an earlier session.
      void busy.then(() => this.schedule(task));
      return;
    }
    this.heap.push(task);
    if (task.lookAt < this.wakesAt) this.loop.poke();
  }

  /** A run that ends makes room for one that waits, whatever its own next time is. */
  private makeRoom(task: ActiveTask): void {
    this.schedule(task);
    if (this.runs.quiet.runs.size === this.options.concurrency - 1) this.loop.poke();
  }

  private async pass(): Promise<NextPass> {
    this.wakesAt = Number.POSITIVE_INFINITY;
    try {
      if (this.stopping.signal.aborted) return 'done';
      const now = this.options.clock.now();
      const starts = this.takeDue(now);
      if (starts.length > 0) await this.startAll(starts, now);
      return this.nextPass(this.options.clock.now());
    } finally {
      this.firstPass.resolve();
    }
  }

  private takeDue(now: EpochMs): Start[] {
    const starts: Start[] = [];
    const room = Math.min(MOST_STARTS_A_PASS, this.options.concurrency - this.runs.quiet.runs.size);
    while (starts.length < room) {
      const next = this.heap.peek();
      if (next === undefined || next.lookAt > now) break;
      const task = this.heap.pop()!;
      const decision = decideRun(task.record, viewOf(task), task.cronDue, now);
      invariant(decision !== null, `${task.declared.name} is looked at only when it is due`);
      starts.push({ task, decision });
    }
    return starts;
  }

  private async startAll(starts: readonly Start[], now: EpochMs): Promise<void> {
    const { store, events } = this.options;
    const started = starts.map(({ task, decision }) => startRun(task.record, decision, now, events.schedulerId));
    try {
      // The mark comes before the callback: a crash in between is an orphan, never a lost run.
      await store.save(started);
    } catch (error) {
      for (const { task } of starts) this.heap.push(task);
      throw error;
    }
    if (this.stopping.signal.aborted) this.runs.takeBack(starts);
    else this.runs.start(starts, started, now);
  }

  private nextPass(now: EpochMs): NextPass {
    const head = this.heap.peek();
    const hasRoom = this.runs.quiet.runs.size < this.options.concurrency;
    // Without room the end of a run wakes the loop.
    if (head === undefined || !hasRoom) return { afterMs: LONGEST_NAP_MS };
    if (head.lookAt <= now) return { afterMs: 0 };
    this.wakesAt = head.lookAt;
    return { at: head.lookAt };
  }
}

function signalled(): { promise: Promise<void>; resolve(): void } {
  let resolve!: () => void;
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}
