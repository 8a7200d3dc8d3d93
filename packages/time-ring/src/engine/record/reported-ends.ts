import { isOver, type RunRow } from '../../model/run.js';

/** Why a result that a remote executor reported does not count. */
export type ReportRefusal = 'unknown-run' | 'never-sent' | 'already-over';

/**
 * Judges a remote executor's result by the row of its run; null: it counts. Owner and fence are not asked: while `/run` is answered, the
 * run changes from its node to its executor, and after a lost node it is given out again as the same attempt, under the same id.
 */
export function refusalOfReport(row: RunRow | undefined): ReportRefusal | null {
  if (row === undefined) return 'unknown-run';
  if (isOver(row.state)) return 'already-over';
  return wasSent(row) ? null : 'never-sent';
}

/** The address of a run is forgotten when another node takes it over; one that was never taken over has the address it was sent to. */
function wasSent({ firedAt, address, fence }: RunRow): boolean {
  if (firedAt === null) return false;
  return address === null ? fence > 1 : isRemoteAddress(address);
}

export function isRemoteAddress(address: string | null): boolean {
  return address !== null && /^https?:\/\//i.test(address);
}
