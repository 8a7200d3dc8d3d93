import type { TaskRecord } from '../task/task-record.js';
import type { Claimant, ClaimOutcome, Holder } from './lease.js';

/** How many instances may work on one store: see the option of the same name. */
export type Instances = 'one' | 'standby' | 'alone';

/** Records to remove and to put, all of it or nothing. */
export interface TaskChange {
  readonly remove: readonly string[];
  readonly put: readonly TaskRecord[];
}

/**
 * The storage of a scheduler's tasks. A store keeps the records it receives and decides nothing; it never reads a clock. One scheduler at a
 * time works on a store; with `claim` the store itself enforces that. `taskStoreConformance` of the testing subpath proves an
 * implementation.
 */
export interface TaskStore extends AsyncDisposable {
  /**
   * Every stored record, in no particular order, as it was found: corrupt records come out too, and the scheduler judges them.
   * Opens whatever has to be opened.
   */
  load(): Promise<readonly unknown[]>;
  /**
   * Removes and then puts, all of it or nothing. A name that is not there is no error to remove. With a `fence` the change
   * applies only while the lease of that fence stands, in the same transaction; otherwise it rejects with `LeaseLostError`.
   */
  apply(change: TaskChange, fence?: number): Promise<void>;
  /** Puts every record under its name, all of them or none. Putting the same record again changes nothing. `fence` as above. */
  save(records: readonly TaskRecord[], fence?: number): Promise<void>;
  /**
   * Grants the lease of this store's namespace when it is free, or when its holder is still exactly as in `over`, an earlier
   * reading; otherwise returns the holder. Each lease has a higher fence than the one before it. On a store without `claim`
   * the option `instances` can only be `'alone'`.
   */
  claim?(claimant: Claimant, over?: Holder): Promise<ClaimOutcome>;
  /** The default of the scheduler's option `instances`; without it `'standby'` for stores with `claim`, `'alone'` for others. */
  readonly instances?: Instances;
  /** Releases what was opened. May be called twice; `load` may follow. Leases are not changed. */
  close(): Promise<void>;
}
