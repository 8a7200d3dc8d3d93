import type { EpochMs } from '@horae/clock-store';

/** What a store has in it for later. */
export interface Upcoming {
  /** When the first of the RUNNING jobs is due; null: none has a time. */
  readonly jobAt: EpochMs | null;
  /** When the first of the delayed runs is due; null: there is none. */
  readonly delayedAt: EpochMs | null;
  /** When the first of the alerts is due; null: there is none. */
  readonly alertAt: EpochMs | null;
  /** Something goes on that no time is known of: runs under way, remote executors, jobs that wait for the end of a fire. */
  readonly isBusy: boolean;
}
