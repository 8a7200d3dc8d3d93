import { UNOWNED } from '../../model/run.js';
import type { JobTransaction } from '../../store/job-store.js';

/**
 * Nodes find what the caller's transaction has written at their next pass, within a second, or at the commit where the database carries
 * messages: the message is sent inside the transaction.
 */
export function wakeOthers(trx: JobTransaction): Promise<void> {
  return trx.wake([UNOWNED]);
}
