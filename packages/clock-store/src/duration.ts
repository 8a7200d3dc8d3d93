import { HoraeError } from './errors.js';

/** Milliseconds, or an object with `toMillis()`, such as a luxon `Duration`. */
export type DurationLike = number | { toMillis(): number };

/** A duration that is not a finite number of milliseconds. */
export class DurationInputError extends HoraeError<{ value: unknown }> {
  readonly code = 'bad-duration';
}

/**
 * The milliseconds of a duration. Negative values and fractions pass as they are, because only the caller knows whether they
 * make sense; NaN, infinities, invalid luxon durations and anything else throw `DurationInputError`.
 */
export function toDurationMs(value: DurationLike): number {
  const ms = typeof value === 'number' ? value : millisOf(value);
  if (typeof ms === 'number' && Number.isFinite(ms)) return ms;
  throw new DurationInputError(
    `A duration is a finite number of milliseconds or has toMillis(), such as a luxon Duration; got ${describe(value)}`,
    { value },
  );
}

function millisOf(value: unknown): unknown {
  const { toMillis } = (value ?? {}) as { toMillis?: unknown };
  return typeof toMillis === 'function' ? toMillis.call(value) : undefined;
}

function describe(value: unknown): string {
  if (typeof value === 'number') return String(value);
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value !== 'object' || value === null) return String(value);
  const reason = (value as { invalidReason?: unknown }).invalidReason;
  return typeof reason === 'string' ? `an invalid duration (${reason})` : 'an object whose milliseconds are not finite';
}
