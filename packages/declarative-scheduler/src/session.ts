import { AsyncLocalStorage } from 'node:async_hooks';
import {
  type Clock,
  createSupervisedLoop,
  type EpochMs,
  invariant,
  type NextPass,
  type Random,
} from '@horae/clock-store';
import { type ActiveTask, activate, updateRecord, viewOf } from './active-task.js';
import { decideRun, type RunDecision } from './decide-run.js';
import { DueHeap } from './due-heap.js';
import type { EventLog } from './event-log.js';
import { lateStart } from './late-start.js';
import type { Logger } from './logger.js';
import { withLongestNap } from './longest-nap.js';
import { createQuiescence } from './quiescence.js';
import type { ResolvedTask } from './resolve-overrides.js';
import { createResultWriter, STORE_BACKOFF } from './result-writer.js';
import { type CallbackRun, type RunOutcome, runCallback } from './run-callback.js';
import { SchedulerStoppingError } from './scheduler-errors.js';
import type { TaskRecord } from './task-record.js';
import type { TaskStore } from './task-store.js';
import { failRun, startRun, succeedRun } from './task-transitions.js';

/** A callback that has been started in this process. */
export interface Run {
  readonly task: ActiveTask;
  readonly decision: RunDecision;
  /** Null until it is called. */
  callback: CallbackRun | null;
  /** `stop` went on without it: its result no longer counts. */
  abandoned: boolean;
}

export interface SessionOptions {
  readonly clock: Clock;
  readonly random: Random;
  readonly zone: string;
  readonly store: TaskStore;
  readonly events: EventLog;
  readonly log: Logger;
  readonly concurrency: number;
  readonly timeoutMs: number | null;
  /** Callbacks of this scheduler that are not over, by task name, those of earlier sessions included. */
  readonly unsettled: Map<string, Promise<void>>;
}

/** The time from `initialize` to the end of `stop`: tasks, the loop that starts them, and what they leave to be recorded. */
export interface Session {
  readonly tasks: readonly ActiveTask[];
  /** Starts polling; resolves after the first look at the tasks. */
  begin(): Promise<void>;
  /** Resolves when the runs are over, or cut off at the deadline. Called from inside a run it does not wait for that run. */
  stop(options: { deadlineMs?: number }): Promise<void>;
  /** Resolves when nothing of the session is left. */
  readonly finished: Promise<void>;
}

interface Start {
  readonly task: ActiveTask;
  readonly decision: RunDecision;
}

/**
 * The run that the present code belongs to. One for all schedulers: Node looks at every such storage whenever a promise is made.
 */
const currentRun = new AsyncLocalStorage<Run>();

const LONGEST_NAP_MS = 60_000;
const MOST_STARTS_A_PASS = 10_000;
/** Promises are given this many turns to react to an abort before a run counts as deaf. */
const ABORT_TURNS = 100;

export function createSession(resolved: readonly ResolvedTask[], options: SessionOptions): Session {
  const { clock, random, zone, store, events, log, unsettled } = options;
  const tasks = resolved.map((task, order) => activate(task, order, zone));
  const activeSince = clock.now();
  const heap = new DueHeap<ActiveTask>();
  const quiet = createQuiescence<Run>();
  const recording = new Set<Promise<void>>();
  const stopping = new AbortController();
  const writer = createResultWriter(store, { clock, random, onFailure: storeFailed });
  const loop = createSupervisedLoop({
    clock: withLongestNap(clock, LONGEST_NAP_MS),
    random,
    backoff: STORE_BACKOFF,
    pass,
    onFailure: storeFailed,
  });
  let looping: Promise<void> = Promise.resolve();
  let leftBehind: 'deadline' | 'store' | undefined;
  /** What the loop sleeps towards; anything earlier has to wake it. */
  let wakesAt = Number.POSITIVE_INFINITY;
  const firstPass = withResolvers();
  const end = withResolvers();

  function storeFailed(error: unknown): void {
    events.tell('StoreFailed', { error });
    log.error({ err: error }, 'The task store failed; trying again');
  }

  function schedule(task: ActiveTask): void {
    if (stopping.signal.aborted) return;
    const busy = unsettled.get(task.declared.name);
    if (busy !== undefined) {
      // One task never runs twice at once, not even beside a callback that outlived its limit or an earlier session.
      void busy.then(() => schedule(task));
      return;
    }
    heap.push(task);
    if (task.lookAt < wakesAt) loop.poke();
  }

  async function pass(): Promise<NextPass> {
    wakesAt = Number.POSITIVE_INFINITY;
    try {
      if (stopping.signal.aborted) return 'done';
      const now = clock.now();
      const starts = takeDue(now);
      if (starts.length > 0) await startAll(starts, now);
      return nextPass(clock.now());
    } finally {
      firstPass.resolve();
    }
  }

  function takeDue(now: EpochMs): Start[] {
    const starts: Start[] = [];
    const room = Math.min(MOST_STARTS_A_PASS, options.concurrency - quiet.runs.size);
    while (starts.length < room) {
      const next = heap.peek();
      if (next === undefined || next.lookAt > now) break;
      const task = heap.pop()!;
      const decision = decideRun(task.record, viewOf(task), task.cronDue, now);
      invariant(decision !== null, `${task.declared.name} is looked at only when it is due`);
      starts.push({ task, decision });
    }
    return starts;
  }

  function nextPass(now: EpochMs): NextPass {
    const head = heap.peek();
    const hasRoom = quiet.runs.size < options.concurrency;
    // Without room the end of a run wakes the loop.
    if (head === undefined || !hasRoom) return { afterMs: LONGEST_NAP_MS };
    if (head.lookAt <= now) return { afterMs: 0 };
    wakesAt = head.lookAt;
    return { at: head.lookAt };
  }

  async function startAll(starts: readonly Start[], now: EpochMs): Promise<void> {
    const started = starts.map(({ task, decision }) => startRun(task.record, decision, now, events.schedulerId));
    try {
      // The mark comes before the callback: a crash in between is an orphan, never a lost run.
      await store.save(started);
    } catch (error) {
      for (const { task } of starts) heap.push(task);
      throw error;
    }
    if (stopping.signal.aborted) {
      for (const { task } of starts) void writer.write(task.record);
      return;
    }
    // All of them count as started before the first callback is called: one that asks to stop waits for the others.
    const runs = starts.map((start, i) => beginRun(start, started[i]!, now));
    for (const run of runs) call(run);
  }

  function beginRun({ task, decision }: Start, record: TaskRecord, now: EpochMs): Run {
    const taskName = task.declared.name;
    const late = lateStart({ decision, now, activeSince, record: task.record, taskCount: tasks.length });
    if (late !== null) log.warn({ taskName, ...late }, 'A task started later than the latency target');
    task.orphaned = false;
    updateRecord(task, record);
    const { reason, dueAt, attempt } = decision;
    if (decision.preemptsRetry) events.tell('TaskRetryPreempted', { taskName });
    events.tell(reason === 'retry' ? 'TaskRetryStarted' : 'TaskRunStarted', { taskName, dueAt, attempt, reason });
    const run: Run = { task, decision, callback: null, abandoned: false };
    quiet.begin(run);
    return run;
  }

  function call(run: Run): void {
    const { name, callback } = run.task.declared;
    const { reason, dueAt, attempt } = run.decision;
    const context = { taskName: name, attempt, dueAt, reason };
    const called = currentRun.run(run, () => runCallback(callback, context, { clock, timeoutMs: options.timeoutMs }));
    run.callback = called;
    const settled = called.settled.then(() => {
      if (unsettled.get(name) === settled) unsettled.delete(name);
    });
    unsettled.set(name, settled);
    void follow(run, called.ended, settled);
  }

  async function follow(run: Run, ended: Promise<RunOutcome>, settled: Promise<void>): Promise<void> {
    const outcome = await ended;
    if (run.abandoned) return;
    const recorded = record(run.task, outcome, clock.now());
    recording.add(recorded);
    await settled;
    quiet.end(run);
    await recorded;
    recording.delete(recorded);
    schedule(run.task);
    // A run that ends makes room for one that waits, whatever its own next time is.
    if (quiet.runs.size === options.concurrency - 1) loop.poke();
  }

  async function record(task: ActiveTask, outcome: RunOutcome, endedAt: EpochMs): Promise<void> {
    const taskName = task.declared.name;
    const ended = outcome.kind === 'succeeded' ? succeedRun(task.record, endedAt) : failRun(task.record, endedAt);
    if ((await writer.write(ended)) === 'abandoned') {
      leftBehind ??= 'store';
      return;
    }
    updateRecord(task, ended);
    const { attempt } = ended;
    if (outcome.kind === 'succeeded') {
      events.tell('TaskRunCompleted', { taskName, attempt });
      return;
    }
    events.tell('TaskRunFailed', { taskName, attempt, error: outcome.error, retryAt: ended.pendingRetryUntil! });
    log.warn({ err: outcome.error, taskName, attempt }, 'A task failed and will be tried again');
  }

  async function begin(): Promise<void> {
    for (const task of tasks) schedule(task);
    looping = loop.run(stopping.signal);
    await firstPass.promise;
  }

  async function stop({ deadlineMs }: { deadlineMs?: number }): Promise<void> {
    const from = currentRun.getStore();
    const isInside = from !== undefined && quiet.runs.has(from);
    requestStop();
    const reached = quiet.reached(from);
    if (deadlineMs === undefined) await reached;
    else await Promise.race([reached, cutOffAfter(deadlineMs, reached)]);
    // The end is told when the run that asks is over as well.
    if (!isInside) await end.promise;
  }

  function requestStop(): void {
    if (stopping.signal.aborted) return;
    events.tell('SchedulerStopRequested');
    if (tasks.length > 0) events.tell('PollingStopRequested');
    stopping.abort();
    void finish();
  }

  async function cutOffAfter(deadlineMs: number, reached: Promise<void>): Promise<void> {
    const over = new AbortController();
    void reached.then(() => over.abort());
    try {
      await clock.sleepFor(deadlineMs, { signal: over.signal });
    } catch {
      return;
    }
    for (const run of quiet.runs) run.callback?.abort(new SchedulerStoppingError());
    for (let turn = 0; turn < ABORT_TURNS && quiet.runs.size > 0; turn++) await null;
    for (const run of [...quiet.runs]) {
      leftBehind = 'deadline';
      run.abandoned = true;
      log.warn({ taskName: run.task.declared.name }, 'A task ignores its signal and is left to be an orphan');
      quiet.end(run);
    }
  }

  async function finish(): Promise<void> {
    await looping;
    await quiet.reached();
    await writer.close();
    await Promise.all(recording);
    heap.clear();
    await store.close().catch((error: unknown) => log.warn({ err: error }, 'The task store did not close'));
    if (tasks.length > 0) events.tell('PollingStopped');
    events.tell('SchedulerStopped', leftBehind === undefined ? {} : { reason: leftBehind });
    end.resolve();
  }

  return { tasks, begin, stop, finished: end.promise };
}

function withResolvers(): { promise: Promise<void>; resolve(): void } {
  let resolve!: () => void;
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}
