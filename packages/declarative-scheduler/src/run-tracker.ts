import { AsyncLocalStorage } from 'node:async_hooks';
import type { Clock, EpochMs, Random } from '@horae/clock-store';
import { type ActiveTask, updateRecord } from './active-task.js';
import type { RunDecision } from './decide-run.js';
import type { EventLog } from './event-log.js';
import { lateStart } from './late-start.js';
import type { Logger } from './logger.js';
import { createQuiescence } from './quiescence.js';
import { createResultWriter, type ResultWriter } from './result-writer.js';
import { type CallbackRun, type RunOutcome, runCallback } from './run-callback.js';
import { SchedulerStoppingError } from './scheduler-errors.js';
import type { TaskRecord } from './task-record.js';
import type { TaskStore } from './task-store.js';
import { failRun, succeedRun } from './task-transitions.js';

/** A task that may start, and why. */
export interface Start {
  readonly task: ActiveTask;
  readonly decision: RunDecision;
}

/** A callback that has been started in this process. */
export interface Run extends Start {
  /** Null until it is called. */
  callback: CallbackRun | null;
  /** `stop` went on without it: its result no longer counts. */
  abandoned: boolean;
}

export interface RunTrackerOptions {
  readonly clock: Clock;
  readonly random: Random;
  readonly store: TaskStore;
  readonly events: EventLog;
  readonly log: Logger;
  readonly timeoutMs: number | null;
  /** Callbacks of this scheduler that are not over, by task name, those of earlier sessions included. */
  readonly unsettled: Map<string, Promise<void>>;
  readonly taskCount: number;
  onStoreFailure(error: unknown): void;
  /** A run is over and recorded: the task may be scheduled again. */
  onIdle(task: ActiveTask): void;
}

/**
 * The run that the present code belongs to. One for all schedulers: Node looks at every such storage whenever a promise is made.
 */
const currentRun = new AsyncLocalStorage<Run>();

/** Promises are given this many turns to react to an abort before a run counts as deaf. */
const ABORT_TURNS = 100;

/** Follows runs from their start to their durable end. */
export class RunTracker {
  /** Runs whose callback is not over. */
  readonly quiet = createQuiescence<Run>();
  /** Why runs were left unfinished, if any were. */
  leftBehind: 'deadline' | 'store' | undefined;
  private readonly activeSince: EpochMs;
  private readonly writer: ResultWriter;
  private readonly recording = new Set<Promise<void>>();

  constructor(private readonly options: RunTrackerOptions) {
    const { clock, random, store, onStoreFailure } = options;
    this.activeSince = clock.now();
    this.writer = createResultWriter(store, { clock, random, onFailure: onStoreFailure });
  }

  /**
   * Starts runs whose start is durable. All of them count as started before the first callback is called: one that asks to
   * stop waits for the others.
   */
  start(starts: readonly Start[], started: readonly TaskRecord[], now: EpochMs): void {
    const runs = starts.map((start, i) => this.begin(start, started[i]!, now));
    for (const run of runs) this.call(run);
  }

  /** Takes durable starts back that must not happen any more. */
  takeBack(starts: readonly Start[]): void {
    for (const { task } of starts) void this.writer.write(task.record);
  }

  /** Resolves when the runs are over; from inside a run, when the others are. */
  async over(deadlineMs: number | undefined): Promise<{ isInside: boolean }> {
    const from = currentRun.getStore();
    const isInside = from !== undefined && this.quiet.runs.has(from);
    const reached = this.quiet.reached(from);
    await (deadlineMs === undefined ? reached : Promise.race([reached, this.cutOffAfter(deadlineMs, reached)]));
    return { isInside };
  }

  /** Makes durable what is left to record, if the store lets it. */
  async close(): Promise<void> {
    await this.writer.close();
    await Promise.all(this.recording);
  }

  private begin({ task, decision }: Start, record: TaskRecord, now: EpochMs): Run {
    const { events, log, taskCount } = this.options;
    const taskName = task.declared.name;
    const late = lateStart({ decision, now, activeSince: this.activeSince, record: task.record, taskCount });
    if (late !== null) log.warn({ taskName, ...late }, 'A task started later than the latency target');
    task.orphaned = false;
    updateRecord(task, record);
    const { reason, dueAt, attempt } = decision;
    if (decision.preemptsRetry) events.tell('TaskRetryPreempted', { taskName });
    events.tell(reason === 'retry' ? 'TaskRetryStarted' : 'TaskRunStarted', { taskName, dueAt, attempt, reason });
    const run: Run = { task, decision, callback: null, abandoned: false };
    this.quiet.begin(run);
    return run;
  }

  private call(run: Run): void {
    const { clock, timeoutMs, unsettled } = this.options;
    const { name, callback } = run.task.declared;
    const { reason, dueAt, attempt } = run.decision;
    const context = { taskName: name, attempt, dueAt, reason };
    const called = currentRun.run(run, () => runCallback(callback, context, { clock, timeoutMs }));
    run.callback = called;
    const settled = called.settled.then(() => {
      if (unsettled.get(name) === settled) unsettled.delete(name);
    });
    unsettled.set(name, settled);
    void this.follow(run, called.ended, settled);
  }

  private async follow(run: Run, ended: Promise<RunOutcome>, settled: Promise<void>): Promise<void> {
    const outcome = await ended;
    if (run.abandoned) return;
    const recorded = this.record(run.task, outcome, this.options.clock.now());
    this.recording.add(recorded);
    await settled;
    this.quiet.end(run);
    await recorded;
    this.recording.delete(recorded);
    this.options.onIdle(run.task);
  }

  private async record(task: ActiveTask, outcome: RunOutcome, endedAt: EpochMs): Promise<void> {
    const { events, log } = this.options;
    const taskName = task.declared.name;
    const ended = outcome.kind === 'succeeded' ? succeedRun(task.record, endedAt) : failRun(task.record, endedAt);
    if ((await this.writer.write(ended)) === 'abandoned') {
      this.leftBehind ??= 'store';
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

  private async cutOffAfter(deadlineMs: number, reached: Promise<void>): Promise<void> {
    const over = new AbortController();
    void reached.then(() => over.abort());
    try {
      await this.options.clock.sleepFor(deadlineMs, { signal: over.signal });
    } catch {
      return;
    }
    for (const run of this.quiet.runs) run.callback?.abort(new SchedulerStoppingError());
    for (let turn = 0; turn < ABORT_TURNS && this.quiet.runs.size > 0; turn++) await null;
    for (const run of [...this.quiet.runs]) {
      this.leftBehind = 'deadline';
      run.abandoned = true;
      this.options.log.warn(
        { taskName: run.task.declared.name },
        'A task ignores its signal and is left to be an orphan',
      );
      this.quiet.end(run);
    }
  }
}
