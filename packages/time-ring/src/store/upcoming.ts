import type { EpochMs } from '@horae/clock-store';

/** The future work in a store. */
export interface Upcoming {
  /** When the first RUNNING job is due; null: none has a time. */
  readonly jobAt: EpochMs | null;
  /** When the first delayed run is due; null: there is none. */
  readonly delayedAt: EpochMs | null;
  /** When the first alert is due; null: there is none. */
  readonly alertAt: EpochMs | null;
  /** There is activity without a known time: runs under way, remote executors, or jobs that wait for the end of a fire. */
  readonly isBusy: boolean;
}
