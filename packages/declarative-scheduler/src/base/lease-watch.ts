import type { Clock } from '@horae/clock-store';
import { type Holder, isSameReading } from '../store/lease.js';
import { isKnownDead } from './process-identity.js';

/** How often a leader renews its lease, and a standby reads it: one statement each. */
export const HEARTBEAT_MS = 1_000;
/** A lease without a heartbeat for this long may be taken. Together with one look of a standby it stays below 5 seconds. */
export const LEASE_MS = 3_750;
/** Readings further apart than this prove nothing: the reader itself, or the database, was unavailable in between. */
const MAX_GAP_MS = 2 * HEARTBEAT_MS;

/** Decides from one reading after the other whether a holder is gone. */
export interface LeaseWatch {
  /** Whether the lease of `holder`, read just now, may be taken over. */
  isExpired(holder: Holder): boolean;
  /** Whether `holder`, read just now, has shown a heartbeat since an earlier reading. */
  isAlive(holder: Holder): boolean;
}

/** Uses elapsed time of this process only, not the clock of another machine or of the database. */
export function createLeaseWatch(clock: Clock): LeaseWatch {
  let seen: { holder: Holder; since: number; readAt: number; alive: boolean } | null = null;

  function read(holder: Holder) {
    const now = clock.monotonicMs();
    const isSame = seen !== null && isSameReading(seen.holder, holder);
    const isContinuous = seen !== null && now - seen.readAt <= MAX_GAP_MS;
    if (seen !== null && isSame && isContinuous) seen = { ...seen, readAt: now };
    else {
      const alive = seen !== null && !isSame && seen.holder.fence === holder.fence;
      seen = { holder, since: now, readAt: now, alive };
    }
    return seen;
  }

  return {
    isExpired(holder) {
      if (isKnownDead(holder)) return true;
      const { since, readAt } = read(holder);
      return readAt - since >= LEASE_MS;
    },
    isAlive: (holder) => read(holder).alive,
  };
}
