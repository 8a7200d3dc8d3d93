import { deepStrictEqual } from 'node:assert/strict';
import type { TaskStore } from '../store/task-store.js';
import type { TaskRecord } from '../task/task-record.js';

/** A record with every field set. */
export function full(name: string, change: Partial<TaskRecord> = {}): TaskRecord {
  return {
    name,
    cron: '0 9 * * 1-5',
    retryDelayMs: 1_500,
    registeredAt: 1_700_000_000_000,
    handledUntil: 1_800_000_000_123,
    lastAttemptAt: 1_800_000_000_123,
    lastSuccessAt: 1_799_999_000_000,
    lastFailureAt: 1_800_000_000_456,
    pendingRetryUntil: 1_800_000_001_956,
    attempt: 3,
    runningSchedulerId: null,
    paused: false,
    ...change,
  };
}

/** Rejects unless the store holds exactly these records. */
export async function expectStored(store: TaskStore, expected: readonly TaskRecord[]): Promise<void> {
  const byName = (a: { name: string }, b: { name: string }) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0);
  const stored = [...((await store.load()) as TaskRecord[])].sort(byName);
  deepStrictEqual(stored, [...expected].sort(byName));
}
