import { UNOWNED } from '../../model/run.js';
import type { JobTransaction } from '../../store/job-store.js';

/**
 * What is written in a transaction of the caller's is found by the pass of the next second, or at the commit where the database carries
 * messages: the message is sent inside the transaction.
 */
export function wakeOthers(trx: JobTransaction): Promise<void> {
  return trx.wake([UNOWNED]);
}
