import type { EpochMs } from '@horae/clock-store';
import type { DeclaredTask } from './registration.js';
import type { TaskRecord } from './task-record.js';
import { newRecord } from './task-transitions.js';

/** How `initialize` found a task: never seen, unchanged, changed, or left running by an earlier instance. */
export type TaskOrigin = 'new' | 'preserved' | 'overridden' | 'orphaned';

export interface ResolvedTask {
  readonly declared: DeclaredTask;
  readonly record: TaskRecord;
  readonly origin: TaskOrigin;
}

/** The records that `initialize` read from the store. */
export interface StoredTasks {
  readonly records: ReadonlyMap<string, TaskRecord>;
  /** Names of records that could not be read. */
  readonly discarded: readonly string[];
}

export interface Overrides {
  readonly tasks: readonly ResolvedTask[];
  /** The changes for the store, all of them or none. */
  readonly put: readonly TaskRecord[];
  readonly remove: readonly string[];
  /** Tasks whose configuration changed, orphans included. */
  readonly overridden: readonly string[];
}

/**
 * Compares declared with stored tasks. History stays; an orphan stays marked as running until it is started again, so that nothing is lost
 * if that does not happen. A task that is no longer declared is removed, and counts as new if it is declared again.
 */
export function resolveOverrides(declared: readonly DeclaredTask[], stored: StoredTasks, now: EpochMs): Overrides {
  const put: TaskRecord[] = [];
  const overridden: string[] = [];
  const tasks = declared.map((task): ResolvedTask => {
    const before = stored.records.get(task.name);
    if (before === undefined) {
      const record = newRecord(task, now);
      put.push(record);
      return { declared: task, record, origin: 'new' };
    }
    const isSame = before.cron === task.cron && before.retryDelayMs === task.retryDelayMs;
    const record = isSame ? before : { ...before, cron: task.cron, retryDelayMs: task.retryDelayMs };
    if (!isSame) {
      put.push(record);
      overridden.push(task.name);
    }
    const isOrphan = before.runningSchedulerId !== null;
    return { declared: task, record, origin: isOrphan ? 'orphaned' : isSame ? 'preserved' : 'overridden' };
  });
  const names = new Set(declared.map(({ name }) => name));
  const remove = [...stored.records.keys(), ...stored.discarded].filter((name) => !names.has(name));
  return { tasks, put, remove, overridden };
}
