import type { EventLog } from './event-log.js';
import { type DeclaredTask, parseRegistrations } from './registration.js';
import { resolveOverrides, type StoredTasks } from './resolve-overrides.js';
import { TaskStoreError } from './scheduler-errors.js';
import type { SchedulerSettings } from './scheduler-options.js';
import { createSession, type Session } from './session.js';
import { deserializeTask, type TaskRecord } from './task-record.js';

/**
 * From registrations to a session that is not polling yet: checked, compared with what is stored, and stored as a whole. Whatever
 * fails leaves the store as it was, and closed.
 */
export async function prepareSession(
  registrations: unknown,
  settings: SchedulerSettings,
  events: EventLog,
  unsettled: Map<string, Promise<void>>,
): Promise<Session> {
  const { store, clock } = settings;
  try {
    const declared = declare(registrations, events);
    const overrides = resolveOverrides(declared, await load(settings, events), clock.now());
    const hasChanges = overrides.put.length + overrides.remove.length > 0;
    if (hasChanges) await storing('apply the registrations', store.apply(overrides));
    return createSession(overrides.tasks, { ...settings, events, unsettled });
  } catch (error) {
    await store.close().catch(() => {});
    throw error;
  }
}

function declare(registrations: unknown, events: EventLog): DeclaredTask[] {
  let declared: DeclaredTask[];
  try {
    declared = parseRegistrations(registrations);
  } catch (error) {
    events.tell('SchedulerInitializationStarted');
    throw error;
  }
  const told = declared.map(({ name, cron, retryDelayMs }) => ({ name, cron, retryDelayMs }));
  events.tell('SchedulerInitializationStarted', { registrations: told });
  return declared;
}

async function load({ store, log }: SchedulerSettings, events: EventLog): Promise<StoredTasks> {
  const records = new Map<string, TaskRecord>();
  const discarded: string[] = [];
  for (const value of await storing('load the tasks', store.load())) {
    try {
      const record = deserializeTask(value);
      records.set(record.name, record);
    } catch (error) {
      const name = (value as { name?: unknown } | null)?.name;
      if (typeof name === 'string') discarded.push(name);
      events.tell('TaskRecordDiscarded', typeof name === 'string' ? { taskName: name, error } : { error });
      log.error({ err: error, taskName: name }, 'A stored task cannot be read; it counts as new');
    }
  }
  return { records, discarded };
}

async function storing<T>(operation: string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw new TaskStoreError(operation, error);
  }
}
