import { openDatabase } from '@horae/clock-store/storage';
import { deserializeTask, type TaskRecord } from '@horae/declarative-scheduler';
import { sqlTaskStore } from '@horae/declarative-scheduler/sql';

/** The records of a namespace by name, and how many could not be read. Nothing is changed. */
export async function loadRecords(
  url: string,
  namespace: string,
): Promise<{ records: ReadonlyMap<string, TaskRecord>; damaged: number }> {
  const database = await openDatabase(url);
  try {
    const records = new Map<string, TaskRecord>();
    let damaged = 0;
    for (const raw of await sqlTaskStore(database, { namespace }).load()) {
      try {
        const record = deserializeTask(raw);
        records.set(record.name, record);
      } catch {
        damaged++;
      }
    }
    return { records, damaged };
  } finally {
    await database.close();
  }
}
