import {
  type Clock,
  createSupervisedLoop,
  type EpochMs,
  invariant,
  type NextPass,
  type Random,
  type SupervisedLoop,
} from '@horae/clock-store';
import { DueHeap } from '../base/due-heap.js';
import type { EventLog } from '../base/event-log.js';
import type { Logger } from '../base/logger.js';
import { withMaxSleep } from '../base/max-sleep.js';
import { NotLeadingError, TaskStoreError } from '../base/scheduler-errors.js';
import type { TaskStore } from '../store/task-store.js';
import { decideRun } from '../task/decide-run.js';
import type { ResolvedTask } from '../task/resolve-overrides.js';
import { startRun } from '../task/task-transitions.js';
import { type ActiveTask, activate, planLook, viewOf } from './active-task.js';
import type { HeldLease } from './held-lease.js';
import { Ledger, STORE_BACKOFF } from './ledger.js';
import { RunTracker, type Start } from './run-tracker.js';
import type { StoreHealth } from './store-health.js';

export interface SessionOptions {
  readonly clock: Clock;
  readonly random: Random;
  readonly store: TaskStore;
  readonly events: EventLog;
  readonly log: Logger;
  readonly concurrency: number;
  readonly health: StoreHealth;
  /** Null without a lease. */
  readonly lease: HeldLease | null;
  /** Callbacks of this scheduler that are not over, by task name, those of earlier sessions included. */
  readonly unsettled: Map<string, Promise<void>>;
}

const MAX_SLEEP_MS = 60_000;
const MAX_STARTS_PER_PASS = 10_000;

/** A period of leading: the tasks, the loop that starts them, and the results still to be recorded. */
export class Session {
  /** By name, in the order of registration. */
  readonly tasks = new Map<string, ActiveTask>();
  readonly ledger: Ledger;
  readonly runs: RunTracker;
  private readonly heap = new DueHeap<ActiveTask>();
  private readonly loop: SupervisedLoop;
  private readonly stopping = new AbortController();
  private looping: Promise<void> = Promise.resolve();
  /** The instant at which the loop wakes; anything earlier has to wake it. */
  private wakesAt = Number.POSITIVE_INFINITY;
  private order = 0;
  private isPolling = false;
  private firstPassDone!: () => void;
  private readonly firstPass = new Promise<void>((resolve) => {
    this.firstPassDone = resolve;
  });

  constructor(
    resolved: readonly ResolvedTask[],
    private readonly options: SessionOptions,
  ) {
    const { clock, random, health, lease } = options;
    this.ledger = new Ledger({
      ...options,
      fence: lease?.fence,
      onFailure: (error) => health.failed(error),
      onSuccess: () => health.works(),
      replan: (task, update) => this.replan(task, update),
    });
    this.runs = new RunTracker({
      ...options,
      ledger: this.ledger,
      taskCount: () => this.tasks.size,
      onIdle: (task) => this.makeRoom(task),
    });
    this.loop = createSupervisedLoop({
      clock: withMaxSleep(clock, MAX_SLEEP_MS),
      random,
      backoff: STORE_BACKOFF,
      pass: () => this.pass(),
      onFailure: (error) => health.failed(error),
    });
    for (const task of resolved) this.add(task);
    if (lease !== null) lease.onRenewed = () => this.loop.poke();
  }

  /** Starts polling; resolves after the first look at the tasks. */
  async begin(): Promise<void> {
    for (const task of this.tasks.values()) this.schedule(task);
    this.looping = this.loop.run(this.stopping.signal);
    await this.firstPass;
  }

  /** A task of this session, not scheduled yet. */
  add(resolved: ResolvedTask): ActiveTask {
    const task = activate(resolved, this.order++, this.options.random);
    this.tasks.set(task.declared.name, task);
    return task;
  }

  /** Reports that polling starts or ends with the first and the last task. */
  reportPolling(): void {
    if (this.isPolling === this.tasks.size > 0) return;
    this.isPolling = !this.isPolling;
    this.options.events.emit(this.isPolling ? 'PollingStarted' : 'PollingStopped');
  }

  requestStop(): void {
    if (this.isPolling) this.options.events.emit('PollingStopRequested');
    this.stopping.abort();
  }

  /** Resolves when nothing of the session is left to do. After `requestStop`. */
  async drained(): Promise<void> {
    await this.looping;
    await this.runs.quiet.reached();
    await this.ledger.close();
    await this.runs.recorded();
    this.heap.clear();
    this.dropRequests();
  }

  reportStopped(): void {
    if (this.isPolling) this.options.events.emit('PollingStopped');
    this.isPolling = false;
  }

  /** The lease is lost: nothing starts any more, runs are aborted, and nothing is recorded. */
  abandon(reason: unknown): void {
    this.stopping.abort();
    this.ledger.abandon();
    this.runs.abandonAll(reason);
    this.heap.clear();
    this.dropRequests(reason);
  }

  get isStopping(): boolean {
    return this.stopping.signal.aborted;
  }

  /** Whether a callback of the task is running, also one that its own session has left behind. */
  isRunning(task: ActiveTask): boolean {
    const isMarked = task.record.runningSchedulerId !== null && !task.orphaned;
    return isMarked || task.starting || this.options.unsettled.has(task.declared.name);
  }

  /** Changes when a task is to be looked at. */
  replan(task: ActiveTask, update: () => void): void {
    const isPlanned = task.heapIndex >= 0;
    if (isPlanned) this.heap.remove(task);
    update();
    if (isPlanned) this.schedule(task);
  }

  /** Takes a task out of the plan for good. */
  unschedule(task: ActiveTask): void {
    if (task.heapIndex >= 0) this.heap.remove(task);
  }

  /** Plans the next look at a task that is not running. */
  schedule(task: ActiveTask): void {
    if (this.isStopping || task.removed) return;
    const busy = this.options.unsettled.get(task.declared.name);
    if (busy !== undefined) {
      // One task never runs twice at once, not even beside a callback that outlived its limit or an earlier session.
      void busy.then(() => this.schedule(task));
      return;
    }
    if (task.heapIndex >= 0) return;
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
      if (this.isStopping) return 'done';
      // The next heartbeat that succeeds wakes the loop.
      if (!this.mayStart()) return { afterMs: MAX_SLEEP_MS };
      const now = this.options.clock.now();
      const starts = this.takeDue(now);
      if (starts.length > 0) await this.startAll(starts, now);
      return this.nextPass(this.options.clock.now());
    } finally {
      this.firstPassDone();
    }
  }

  /** By elapsed time: after a suspension the lease has to be renewed before anything starts. */
  private mayStart(): boolean {
    return this.options.lease?.isValid() ?? true;
  }

  private takeDue(now: EpochMs): Start[] {
    const starts: Start[] = [];
    const room = Math.min(MAX_STARTS_PER_PASS, this.options.concurrency - this.runs.quiet.runs.size);
    while (starts.length < room) {
      const next = this.heap.peek();
      if (next === undefined || next.lookAt > now) break;
      const task = this.heap.pop()!;
      const decision = decideRun(task.record, viewOf(task), task.cronDue, now);
      invariant(decision !== null, `${task.declared.name} is looked at only when it is due`);
      task.starting = true;
      starts.push({ task, decision, before: task.record });
    }
    return starts;
  }

  private async startAll(starts: readonly Start[], now: EpochMs): Promise<void> {
    const { schedulerId } = this.options.events;
    try {
      await this.ledger.inTurn(async () => {
        const valid = starts.flatMap((start) => decideAgain(start, now) ?? []);
        // The mark comes before the callback: a crash in between is an orphan, never a lost run.
        await this.ledger.commit(
          valid.map(({ task, decision }) => ({
            task,
            change: (record) => startRun(record, decision, now, schedulerId),
          })),
        );
        for (const { task } of starts) task.starting = false;
        this.call(valid, now);
        const started = new Set(valid.map(({ task }) => task));
        for (const { task } of starts) if (!started.has(task)) this.schedule(task);
      });
    } catch (error) {
      for (const { task } of starts) this.withdraw(task, new TaskStoreError('start the task', error));
      throw error;
    }
  }

  /** A start that could not be recorded: by hand it failed, otherwise it is tried again. */
  private withdraw(task: ActiveTask, error: unknown): void {
    task.starting = false;
    task.request?.failed(error);
    task.request = null;
    planLook(task);
    this.schedule(task);
  }

  /** Starts the runs whose start is durable by now, unless nothing may start any more. */
  private call(starts: readonly Start[], now: EpochMs): void {
    if (!this.isStopping && this.mayStart()) {
      this.runs.start(starts, now);
      return;
    }
    for (const { task, before } of starts) {
      const undone = this.ledger.record({ task, change: ({ paused }) => ({ ...before, paused }) });
      void undone.then((outcome) => {
        if (outcome === 'saved') this.schedule(task);
      });
    }
  }

  private nextPass(now: EpochMs): NextPass {
    const head = this.heap.peek();
    const hasRoom = this.runs.quiet.runs.size < this.options.concurrency;
    // Without room the end of a run wakes the loop.
    if (head === undefined || !hasRoom || head.lookAt === Number.POSITIVE_INFINITY) return { afterMs: MAX_SLEEP_MS };
    if (head.lookAt <= now) return { afterMs: 0 };
    this.wakesAt = head.lookAt;
    return { at: head.lookAt };
  }

  private dropRequests(reason?: unknown): void {
    for (const task of this.tasks.values()) {
      task.request?.failed(reason ?? new NotLeadingError(null));
      task.request = null;
    }
  }
}

/** The start as it stands when its turn comes: the task may have been changed by hand since it was decided. */
function decideAgain(start: Start, now: EpochMs): Start | null {
  const { task } = start;
  if (task.removed) return null;
  if (task.record === start.before) return start;
  const decision = decideRun(task.record, viewOf(task), task.cronDue, now);
  return decision === null ? null : { task, decision, before: task.record };
}
