import type { JobTransaction } from '../../store/job-store.js';
import type { ActiveRun } from './active-run.js';

/** Runs that were dispatched in the transaction that wrote them. */
export interface JoinedRuns {
  has(runId: number): boolean;
  /** Starts the runs after the commit. */
  begin(): void;
  /** Frees their slots when the transaction was not committed, or the runs must not start here. */
  undo(): void;
}

/** Dispatches runs in the transaction that writes them, as far as possible. */
export type JoinRuns = (trx: JobTransaction, runs: readonly ActiveRun[]) => Promise<JoinedRuns>;

export const noneJoined: JoinedRuns = { has: () => false, begin() {}, undo() {} };
