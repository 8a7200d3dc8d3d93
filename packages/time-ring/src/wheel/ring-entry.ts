import type { EpochMs } from '@horae/clock-store';

/** An entry of the ring, identified by (jobId, scheduleTime). */
export interface RingEntry {
  jobId: number;
  scheduleTime: EpochMs;
  /** A higher priority goes first within a second; 0 by default. */
  priority?: number;
}
