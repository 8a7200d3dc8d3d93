import type { HoraeDatabase } from '@horae/clock-store/storage';
import type { TaskStore } from '../store/task-store.js';

/** The SQL store, loaded when it is first used, so that a scheduler in memory never touches SQL code. */
export function databaseStore(database: string | HoraeDatabase): TaskStore {
  let opened: Promise<TaskStore> | null = null;
  const store = () => {
    opened ??= import('../store/sql-task-store.js').then(({ sqlTaskStore }) => sqlTaskStore(database));
    return opened;
  };
  const close = async () => (await opened)?.close();
  return {
    load: async () => (await store()).load(),
    apply: async (change, fence) => (await store()).apply(change, fence),
    save: async (records, fence) => (await store()).save(records, fence),
    claim: async (claimant, over) => (await store()).claim!(claimant, over),
    close,
    [Symbol.asyncDispose]: close,
  };
}
