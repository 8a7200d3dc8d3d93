import type { EpochMs } from '@horae/clock-store';

/** One requested run of a job. */
export interface TriggerItem {
  /** Any JSON; the job's parameters when omitted. */
  params?: unknown;
  /** When it is due: an instant, or ISO 8601, in the ring's zone if it has no offset. In the past: at once. Not together with `delayMs`. */
  at?: EpochMs | Date | string;
  /** How long from now it is due. */
  delayMs?: number;
  /** 1 to 255 characters: while a run of the job with this key is not over, the trigger returns that run instead of making one. */
  uniqueKey?: string;
  /** How long the key stays taken after the run ends. */
  uniqueForMs?: number;
  /** A higher priority goes first among waiting runs; the job's priority when omitted. */
  priority?: number;
  /** The address of the executor to run it on; the executor must be registered. */
  address?: string;
  scheduleTime?: EpochMs;
  /** Override the job's labels. */
  labels?: Readonly<Record<string, string>>;
}

/** The maximum number of items per `triggerMany` call. */
export const MAX_TRIGGER_ITEMS = 10_000;
