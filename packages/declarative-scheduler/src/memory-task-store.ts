import type { TaskRecord } from './task-record.js';
import type { TaskStore } from './task-store.js';

/** A store that lives as long as this object: tasks survive `stop` and `initialize`, not the end of the process. */
export function memoryTaskStore(): TaskStore {
  const records = new Map<string, TaskRecord>();
  const put = (changed: readonly TaskRecord[]) => {
    for (const record of changed) records.set(record.name, record);
  };
  const close = async () => {};
  return {
    load: async () => [...records.values()],
    apply: async ({ remove, put: changed }) => {
      for (const name of remove) records.delete(name);
      put(changed);
    },
    save: async (changed) => put(changed),
    close,
    [Symbol.asyncDispose]: close,
  };
}
