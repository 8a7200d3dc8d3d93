import type { EpochMs } from '@horae/clock-store';

/** One piece of work that is asked for. */
export interface TriggerItem {
  /** Any JSON; the job's when not given. */
  params?: unknown;
  /** When it is due: an instant, or ISO 8601, without an offset in the ring's zone. In the past: at once. Not together with `delayMs`. */
  at?: EpochMs | Date | string;
  /** How long from now it is due. */
  delayMs?: number;
  /** 1 to 255 characters: while a run of the job with that key is not over, that run is given back instead of a new one. */
  uniqueKey?: string;
  /** How long the key stays taken after the end. */
  uniqueForMs?: number;
  /** Higher goes first among the runs that wait; the job's when not given. */
  priority?: number;
  /** The executor that is to do it; it must be registered. */
  address?: string;
  scheduleTime?: EpochMs;
  /** Over those of the job. */
  labels?: Readonly<Record<string, string>>;
}

/** The most items of one `triggerMany`. */
export const MAX_TRIGGER_ITEMS = 10_000;
