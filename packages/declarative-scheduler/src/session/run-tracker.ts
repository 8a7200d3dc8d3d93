import { AsyncLocalStorage } from 'node:async_hooks';
import { type Clock, type EpochMs, oncePerProcess } from '@horae/clock-store';
import type { EventLog } from '../base/event-log.js';
import type { Logger } from '../base/logger.js';
import { createQuiescence } from '../base/quiescence.js';
import { SchedulerStoppingError } from '../base/scheduler-errors.js';
import type { RunDecision } from '../task/decide-run.js';
import { lateStart } from '../task/late-start.js';
import type { TaskRecord } from '../task/task-record.js';
import { failRun, succeedRun } from '../task/task-transitions.js';
import type { ActiveTask } from './active-task.js';
import type { Ledger } from './ledger.js';
import { type CallbackRun, type RunOutcome, runCallback } from './run-callback.js';

/** A task that may start, and why. */
export interface Start {
  readonly task: ActiveTask;
  readonly decision: RunDecision;
  /** The record before the start. */
  readonly before: TaskRecord;
}

/** A callback that has been started in this process. */
export interface Run extends Start {
  /** Null until it is called. */
  callback: CallbackRun | null;
  /** The scheduler continued without it: its result no longer counts. */
  abandoned: boolean;
}

export interface RunTrackerOptions {
  readonly clock: Clock;
  readonly ledger: Ledger;
  readonly events: EventLog;
  readonly log: Logger;
  /** Callbacks of this scheduler that are not over, by task name, those of earlier sessions included. */
  readonly unsettled: Map<string, Promise<void>>;
  taskCount(): number;
  /** A run is over and recorded: the task may be scheduled again. */
  onIdle(task: ActiveTask): void;
}

/** The run that the present code belongs to. One for all schedulers: Node visits every such storage whenever a promise is created. */
const currentRun = oncePerProcess('current-run.1', () => new AsyncLocalStorage<Run>());

/** Promises get this many turns to react to an abort before a run counts as ignoring its signal. */
const ABORT_TURNS = 100;

/** Follows runs from their start to their durable end. */
export class RunTracker {
  /** Runs whose callback is not over. */
  readonly quiet = createQuiescence<Run>();
  /** Why runs were left unfinished, if any were. */
  leftBehind: 'deadline' | 'store' | undefined;
  private readonly activeSince: EpochMs;
  private readonly recording = new Set<Promise<void>>();

  constructor(private readonly options: RunTrackerOptions) {
    this.activeSince = options.clock.now();
  }

  /**
   * Starts runs whose start is durable. All of them count as started before the first callback is called: one that calls
   * `stop` waits for the others.
   */
  start(starts: readonly Start[], now: EpochMs): void {
    const runs = starts.map((start) => this.begin(start, now));
    for (const run of runs) this.call(run);
  }

  /** Resolves when the runs are over; from inside a run, when the others are. */
  async over(deadlineMs: number | undefined): Promise<{ isInside: boolean }> {
    const from = currentRun.getStore();
    const isInside = from !== undefined && this.quiet.runs.has(from);
    const reached = this.quiet.reached(from);
    await (deadlineMs === undefined ? reached : Promise.race([reached, this.cutOffAfter(deadlineMs, reached)]));
    return { isInside };
  }

  /** Resolves when the ends of runs are recorded, or given up. The ledger closes first. */
  async recorded(): Promise<void> {
    await Promise.all(this.recording);
  }

  /** Leaves every run to the new leader: aborts its signal and records nothing of it. */
  abandonAll(reason: unknown): void {
    for (const run of [...this.quiet.runs]) {
      run.callback?.abort(reason);
      this.abandon(run);
    }
  }

  /** The task was removed: its run ends by itself, and `stop` does not wait for it. */
  abandonRunsOf(task: ActiveTask): void {
    for (const run of [...this.quiet.runs]) if (run.task === task) this.abandon(run);
  }

  private abandon(run: Run): void {
    run.abandoned = true;
    this.quiet.end(run);
  }

  private begin({ task, decision, before }: Start, now: EpochMs): Run {
    const { events, log } = this.options;
    const taskName = task.declared.name;
    const { jitterMs } = task;
    const taskCount = this.options.taskCount();
    const late = lateStart({ decision, now, activeSince: this.activeSince, record: before, taskCount, jitterMs });
    if (late !== null) log.warn({ taskName, ...late }, 'A task started later than the latency target');
    task.orphaned = false;
    const { reason, dueAt, attempt } = decision;
    if (decision.preemptsRetry) events.emit('TaskRetryPreempted', { taskName });
    events.emit(reason === 'retry' ? 'TaskRetryStarted' : 'TaskRunStarted', { taskName, dueAt, attempt, reason });
    const run: Run = { task, decision, before, callback: null, abandoned: false };
    this.quiet.begin(run);
    return run;
  }

  private call(run: Run): void {
    const { clock, unsettled } = this.options;
    const { name, callback, timeoutMs } = run.task.declared;
    const { reason, dueAt, attempt } = run.decision;
    const context = { taskName: name, attempt, dueAt, reason };
    const called = currentRun.run(run, () => runCallback(callback, context, { clock, timeoutMs }));
    run.callback = called;
    const settled = called.settled.then(() => {
      if (unsettled.get(name) === settled) unsettled.delete(name);
    });
    unsettled.set(name, settled);
    run.task.request?.started();
    run.task.request = null;
    void this.follow(run, called.ended, settled);
  }

  private async follow(run: Run, ended: Promise<RunOutcome>, settled: Promise<void>): Promise<void> {
    const outcome = await ended;
    if (run.abandoned) return;
    const recorded = this.record(run, outcome, this.options.clock.now());
    this.recording.add(recorded);
    await settled;
    this.quiet.end(run);
    await recorded;
    this.recording.delete(recorded);
    if (!run.task.removed) this.options.onIdle(run.task);
  }

  private async record(run: Run, outcome: RunOutcome, endedAt: EpochMs): Promise<void> {
    const { task } = run;
    const change = (record: TaskRecord) =>
      outcome.kind === 'succeeded' ? succeedRun(record, endedAt) : failRun(record, task.declared, endedAt);
    const isSaved = (await this.options.ledger.record({ task, change })) === 'saved';
    if (run.abandoned || task.removed) return;
    if (isSaved) this.reportEnd(task, outcome);
    else this.leftBehind ??= 'store';
  }

  private reportEnd(task: ActiveTask, outcome: RunOutcome): void {
    const { events } = this.options;
    const taskName = task.declared.name;
    const { attempt, pendingRetryUntil } = task.record;
    if (outcome.kind === 'succeeded') {
      events.emit('TaskRunCompleted', { taskName, attempt });
      return;
    }
    const { error } = outcome;
    if (pendingRetryUntil !== null) {
      events.emit('TaskRunFailed', { taskName, attempt, error, retryAt: pendingRetryUntil });
      return;
    }
    events.emitTogether([
      ['TaskRunFailed', { taskName, attempt, error }],
      ['TaskRetriesExhausted', { taskName, attempt }],
    ]);
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
      this.abandon(run);
      const { name } = run.task.declared;
      this.options.log.warn({ taskName: name }, 'A task ignores its signal and is left to be an orphan');
    }
  }
}
