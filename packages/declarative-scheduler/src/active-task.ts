import type { EpochMs } from '@horae/clock-store';
import { nextCronDue, nextLookAt } from './decide-run.js';
import type { HeapEntry } from './due-heap.js';
import type { DeclaredTask } from './registration.js';
import type { ResolvedTask, TaskOrigin } from './resolve-overrides.js';
import type { TaskRecord } from './task-record.js';

/** A task in memory: what is declared, what is stored, and when to look at it next. */
export interface ActiveTask extends HeapEntry {
  readonly declared: DeclaredTask;
  readonly origin: TaskOrigin;
  readonly zone: string;
  record: TaskRecord;
  /** The first occurrence that is not dealt with. */
  cronDue: EpochMs | null;
  orphaned: boolean;
}

export function activate({ declared, record, origin }: ResolvedTask, order: number, zone: string): ActiveTask {
  const task = {
    declared,
    origin,
    zone,
    record,
    order,
    orphaned: origin === 'orphaned',
    cronDue: null,
    lookAt: 0,
    heapIndex: -1,
  };
  updateRecord(task, record);
  return task;
}

/** Puts a changed record in place, and what follows from it. */
export function updateRecord(task: ActiveTask, record: TaskRecord): void {
  task.record = record;
  task.cronDue = nextCronDue(record, task.declared.expression, task.zone);
  task.lookAt = nextLookAt(task.cronDue, record, task.orphaned);
}

/** How `decideRun` sees the task. */
export function viewOf(task: ActiveTask) {
  return {
    expression: task.declared.expression,
    zone: task.zone,
    orphaned: task.orphaned,
    firstSeen: task.origin === 'new',
  };
}
