import type { EpochMs } from '@horae/clock-store';

/** What waits in the ring: identified by (jobId, scheduleTime). */
export interface RingEntry {
  jobId: number;
  scheduleTime: EpochMs;
  /** Higher goes first within a second; 0 by default. */
  priority?: number;
}
