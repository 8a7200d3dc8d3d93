import { isOver, type RunRow } from '../../model/run.js';

/** Why a result from a remote executor is refused. */
export type ReportRefusal = 'unknown-run' | 'never-sent' | 'already-over';

/**
 * Checks a remote executor's result against the row of its run; null: it is accepted. Owner and fence are not checked: while `/run` is
 * answered, the run moves from its node to its executor, and after a lost node it is dispatched again as the same attempt, with the same
 * id.
 */
export function refusalOfReport(row: RunRow | undefined): ReportRefusal | null {
  if (row === undefined) return 'unknown-run';
  if (isOver(row.state)) return 'already-over';
  return wasSent(row) ? null : 'never-sent';
}

/** The address of a run is cleared when another node takes it over; a run that was never taken over has the address it was sent to. */
function wasSent({ firedAt, address, fence }: RunRow): boolean {
  if (firedAt === null) return false;
  return address === null ? fence > 1 : isRemoteAddress(address);
}

export function isRemoteAddress(address: string | null): boolean {
  return address !== null && /^https?:\/\//i.test(address);
}
