import { HoraeError } from './errors.js';

/** Milliseconds since 1970-01-01T00:00:00Z on the wall clock. */
export type EpochMs = number;

/** The only way in which a Horae package reads the time or waits. */
export interface Clock {
  /** Wall time. May jump; compare it only with stored due times. */
  now(): EpochMs;
  /** Elapsed time since an arbitrary origin. Never goes back; never stored. */
  monotonicMs(): number;
  /**
   * An appointment on the wall clock: resolves once `now()` is at or after `at`, at once when it already is. Rejects with
   * the signal's reason if aborted first. Not for pacing a loop: a step of the wall clock moves it.
   */
  sleepUntil(at: EpochMs, options?: { signal?: AbortSignal }): Promise<void>;
  /** Elapsed time, whatever the wall clock does meanwhile; loops wait with this. Rejects with the signal's reason if aborted. */
  sleepFor(ms: number, options?: { signal?: AbortSignal }): Promise<void>;
  /**
   * Implemented by simulated clocks only, which see every event. A loop that polls after `ms` and then every `everyMs`, and expects to find
   * nothing for `idleMs`, skips the polls that have no observable effect. It wakes at one of its polls: the first after any other event,
   * the last before any other event, or the first from `idleMs` on. Rejects like `sleepFor`.
   */
  sleepIdle?(ms: number, options: IdleSleepOptions): Promise<void>;
}

/** Options of `Clock.sleepIdle`. */
export interface IdleSleepOptions {
  /** The time between two polls. */
  readonly everyMs: number;
  /** How long from now a poll finds nothing, unless another event happens first; `Infinity` is allowed. */
  readonly idleMs: number;
  /** Ends the sleep. */
  readonly signal?: AbortSignal | undefined;
}

/** A time or a length of time that a clock cannot work with. */
export class ClockInputError extends HoraeError<{ field: string; value: unknown }> {
  readonly code = 'bad-clock-input';
}

/** `value` when it is a number other than NaN, infinities included; throws `ClockInputError` otherwise. */
export function checkedTime(field: string, value: number): number {
  if (typeof value === 'number' && !Number.isNaN(value)) return value;
  throw new ClockInputError(`${field} must be a number of milliseconds, got ${String(value)}`, { field, value });
}
