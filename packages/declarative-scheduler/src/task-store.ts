import type { TaskRecord } from './task-record.js';

/**
 * Where a scheduler keeps its tasks. A store keeps what it is given and decides nothing; it is not asked for the time. One
 * scheduler at a time works on a store. `taskStoreConformance` of the testing subpath proves an implementation.
 */
export interface TaskStore extends AsyncDisposable {
  /**
   * Every stored record, in no particular order, as it was found: what is corrupt is handed out too, and the scheduler judges
   * it. Opens whatever has to be opened.
   */
  load(): Promise<readonly unknown[]>;
  /** Removes and then puts, all of it or nothing. A name that is not there is no error to remove. */
  apply(change: { readonly remove: readonly string[]; readonly put: readonly TaskRecord[] }): Promise<void>;
  /** Puts every record under its name, all of them or none. Putting the same record again changes nothing. */
  save(records: readonly TaskRecord[]): Promise<void>;
  /** Releases what `load` opened. Twice is fine; `load` may follow. */
  close(): Promise<void>;
}
