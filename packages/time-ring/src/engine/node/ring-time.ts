import type { Clock, EpochMs } from '@horae/clock-store';
import type { JobReads } from '../../store/job-store.js';

/** The time that all nodes on a database agree on. */
export interface RingTime {
  /** Between two readings of the database's clock it is carried on by this machine's elapsed time. */
  now(): EpochMs;
  /** Reads the clock that counts. */
  read(from: Pick<JobReads, 'now'>): Promise<EpochMs>;
}

/** `isOwnClock`: the given clock is the truth, whatever the database says. */
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
      // The database looked at its clock somewhere between the question and the answer, and gives whole milliseconds. The earliest time
      // that fits with that is taken, so that nothing fires early; the best reading so far is kept until one contradicts it, because a
      // time that wavers with every reading would put runs out of order.
      const least = at - answered;
      const most = at + 1 - asked;
      offset = offset === null || offset >= most ? least : Math.max(offset, least);
      return now();
    },
  };
}
