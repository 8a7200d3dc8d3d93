import type { EpochMs, Random } from '@horae/clock-store';
import type { HeapEntry } from '../base/due-heap.js';
import { isFirstMinute, nextLookAt, type TaskView } from '../task/decide-run.js';
import type { DeclaredTask } from '../task/registration.js';
import type { ResolvedTask, TaskOrigin } from '../task/resolve-overrides.js';
import type { TaskRecord } from '../task/task-record.js';
import { nextDue } from '../task/timetable.js';

/** A run that was requested by hand and has not started yet. */
export interface ManualRequest {
  started(): void;
  failed(error: unknown): void;
}

/** A task in memory: its declaration, its stored record, and when to look at it next. */
export interface ActiveTask extends HeapEntry {
  readonly declared: DeclaredTask;
  readonly origin: TaskOrigin;
  readonly random: Random;
  record: TaskRecord;
  /** The first occurrence that is not handled. */
  cronDue: EpochMs | null;
  /** How much later than `cronDue` the start comes. */
  jitterMs: number;
  orphaned: boolean;
  request: ManualRequest | null;
  /** Taken out of the plan to be started; its start is not durable yet. */
  starting: boolean;
  /** Removed by hand: nothing of it is recorded any more. */
  removed: boolean;
}

export function activate({ declared, record, origin }: ResolvedTask, order: number, random: Random): ActiveTask {
  const task: ActiveTask = {
    declared,
    origin,
    random,
    record,
    order,
    orphaned: origin === 'orphaned',
    cronDue: null,
    jitterMs: 0,
    request: null,
    starting: false,
    removed: false,
    lookAt: 0,
    heapIndex: -1,
  };
  updateRecord(task, record);
  return task;
}

/** Replaces the record and updates what is derived from it. The task must not be in a heap. */
export function updateRecord(task: ActiveTask, record: TaskRecord): void {
  task.record = record;
  const cronDue = nextDue(task.declared.timetable, record.handledUntil);
  if (cronDue !== task.cronDue) task.jitterMs = drawJitter(task, cronDue);
  task.cronDue = cronDue;
  planLook(task);
}

/** When to look at the task next, after something besides its record has changed. The task must not be in a heap. */
export function planLook(task: ActiveTask): void {
  task.lookAt = nextLookAt(task.cronDue, task.record, viewOf(task));
}

const MAX_JITTER_MS = 2 ** 32 - 1;

/** A task that starts because it was just registered starts at once. */
function drawJitter(task: ActiveTask, cronDue: EpochMs | null): number {
  const { jitterMs } = task.declared;
  if (jitterMs === 0 || cronDue === null || isFirstMinute(task.record, viewOf(task), cronDue)) return 0;
  return task.random.below(Math.min(MAX_JITTER_MS, Math.floor(jitterMs)) + 1);
}

/** The task in the form that `decideRun` takes. */
export function viewOf(task: ActiveTask): TaskView {
  return {
    timetable: task.declared.timetable,
    orphaned: task.orphaned,
    firstSeen: task.origin === 'new',
    jitterMs: task.jitterMs,
    requested: task.request !== null,
  };
}
