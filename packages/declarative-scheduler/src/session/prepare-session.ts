import { TaskStoreError } from '../base/scheduler-errors.js';
import type { DeclaredTask } from '../task/registration.js';
import { type Overrides, resolveOverrides, type StoredTasks } from '../task/resolve-overrides.js';
import { deserializeTask, type TaskRecord } from '../task/task-record.js';
import { Session, type SessionOptions } from './session.js';

/**
 * A session that is not polling yet: the declared tasks are compared with the stored ones, and stored as a whole. When the store fails
 * nothing is changed.
 */
export async function prepareSession(declared: readonly DeclaredTask[], options: SessionOptions): Promise<Session> {
  const { store, clock, lease } = options;
  const overrides = resolveOverrides(declared, await load(options), clock.now());
  const { remove, put } = overrides;
  if (put.length + remove.length > 0) {
    const change = { remove, put };
    await storing('apply the registrations', lease === null ? store.apply(change) : store.apply(change, lease.fence));
  }
  logOverrides(overrides, options);
  return new Session(overrides.tasks, options);
}

function logOverrides({ overridden, remove }: Overrides, { log }: SessionOptions): void {
  for (const taskName of overridden) {
    log.info({ event: 'TaskOverridden', taskName }, 'The configuration of a task changed; its history stays');
  }
  for (const taskName of remove) {
    log.info({ event: 'TaskForgotten', taskName }, 'A task is no longer declared and was deleted');
  }
}

async function load({ store, events }: SessionOptions): Promise<StoredTasks> {
  const records = new Map<string, TaskRecord>();
  const discarded: string[] = [];
  for (const value of await storing('load the tasks', store.load())) {
    try {
      const record = deserializeTask(value);
      records.set(record.name, record);
    } catch (error) {
      const name = (value as { name?: unknown } | null)?.name;
      if (typeof name === 'string') discarded.push(name);
      events.emit('TaskRecordDiscarded', typeof name === 'string' ? { taskName: name, error } : { error });
    }
  }
  return { records, discarded };
}

/** Awaits the work; an error names the operation. */
export async function storing<T>(operation: string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw new TaskStoreError(operation, error);
  }
}
