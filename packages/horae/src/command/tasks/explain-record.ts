import type { EpochMs } from '@horae/clock-store';
import type { CronDialect } from '@horae/cron-grammar';
import {
  createScheduler,
  type Explanation,
  memoryTaskStore,
  observe,
  type TaskRecord,
} from '@horae/declarative-scheduler';
import { sleepingClock } from '../frame/sleeping-clock.js';
import { type SettingFields, taskSettings } from './task-settings-fields.js';

/**
 * The scheduler's own explanation of a stored task at `at`. A scheduler receives a copy of the record and a clock that stands at a moment
 * when nothing is due, so that it explains and runs nothing. A running task is reported as running.
 */
export async function explainRecord(
  record: TaskRecord,
  declared: SettingFields & { readonly cron: string; readonly retry: number },
  at: EpochMs,
  { zone, dialect }: { readonly zone: string; readonly dialect: CronDialect },
): Promise<Explanation> {
  if (record.runningSchedulerId !== null) return runningExplanation(record, at);
  const store = memoryTaskStore();
  await store.apply({ remove: [], put: [record] });
  const quiet = Math.min(record.handledUntil, (record.pendingRetryUntil ?? Number.POSITIVE_INFINITY) - 1);
  const scheduler = createScheduler({ clock: sleepingClock(() => quiet), store, zone, dialect });
  try {
    await scheduler.initialize([[record.name, declared.cron, () => {}, declared.retry]], {
      tasks: { [record.name]: taskSettings(declared) },
    });
    return observe(scheduler).explain(record.name, at);
  } finally {
    await scheduler.stop();
  }
}

function runningExplanation(record: TaskRecord, at: EpochMs): Explanation {
  const since = new Date(record.lastAttemptAt ?? at).toISOString();
  return {
    taskName: record.name,
    at,
    wouldRun: false,
    reason: null,
    state: 'Running',
    dueAt: null,
    nextDueAt: null,
    pendingRetryUntil: record.pendingRetryUntil,
    lastAttemptAt: record.lastAttemptAt,
    sentence: `${record.name} does not start at ${new Date(at).toISOString()}: it is running since ${since}; if its daemon has died, the next start runs it again.`,
  };
}
