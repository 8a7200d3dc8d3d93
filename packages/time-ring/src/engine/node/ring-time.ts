import type { Clock, EpochMs } from '@horae/clock-store';
import type { JobReads } from '../../store/job-store.js';

/** The time that all nodes on a database share. */
export interface RingTime {
  /** Between two readings of the database's clock, it advances by this machine's elapsed time. */
  now(): EpochMs;
  /** Reads the authoritative clock. */
  read(from: Pick<JobReads, 'now'>): Promise<EpochMs>;
}

/** `isOwnClock`: the given clock is authoritative, whatever the database's clock says. */
export function createRingTime(clock: Clock, isOwnClock: boolean): RingTime {
  let offset: number | null = null;
  const now = () => (offset === null ? clock.now() : Math.floor(clock.monotonicMs() + offset));
  return {
    now,
    async read(from) {
      if (isOwnClock) return clock.now();
      const asked = clock.monotonicMs();
      const at = await from.now();
      if (at === null) return clock.now();
      const answered = clock.monotonicMs();
      // The database read its clock somewhere between the query and the answer, and returns whole milliseconds. The earliest time
      // consistent with that is used, so that nothing fires early; the best reading so far is kept until one contradicts it, because a
      // time that varies with every reading would put runs out of order.
      const least = at - answered;
      const most = at + 1 - asked;
      offset = offset === null || offset >= most ? least : Math.max(offset, least);
      return now();
    },
  };
}
