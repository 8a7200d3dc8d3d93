import Database from 'better-sqlite3';

/** Held by one process at a time; the operating system releases it when that process dies. */
export interface OwnerLock {
  release(): void;
}

/**
 * Takes the right to run the tasks of a database file, or returns null when another process has it. The lock is an open exclusive
 * transaction on a file beside it: no process identifiers, nothing stale after a crash.
 */
export function takeOwnerLock(databaseFile: string): OwnerLock | null {
  const beside = new Database(databaseFile.replace(/(\.db)?$/, '.owner.db'), { timeout: 0 });
  try {
    beside.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    beside.close();
    if ((error as { code?: string }).code?.startsWith('SQLITE_BUSY')) return null;
    throw error;
  }
  return { release: () => void beside.close() };
}
