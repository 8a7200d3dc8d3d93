import type { JobTransaction } from '../../store/job-store.js';
import type { ActiveRun } from './active-run.js';

/** Runs that were dispatched in the transaction that wrote them. */
export interface JoinedRuns {
  has(runId: number): boolean;
  /** The transaction is committed: they begin. */
  begin(): void;
  /** It is not, or they shall not begin here: their slots are free again. */
  undo(): void;
}

/** Dispatches runs in the transaction that writes them, as far as they can be. */
export type JoinRuns = (trx: JobTransaction, runs: readonly ActiveRun[]) => Promise<JoinedRuns>;

export const noneJoined: JoinedRuns = { has: () => false, begin() {}, undo() {} };
