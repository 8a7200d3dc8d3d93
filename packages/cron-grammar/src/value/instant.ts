import type { EpochMs } from '@horae/clock-store';
import { InvalidInstantError } from './cron-errors.js';

/** Anything with a millisecond value, such as a luxon `DateTime`. */
export interface MillisLike {
  toMillis(): number;
}

/** An instant as callers pass it: milliseconds since 1970, a `Date`, or anything with `toMillis()`. */
export type Instant = EpochMs | Date | MillisLike;

/** The last instant that a `Date` can hold, in milliseconds and in seconds. */
const LAST_MS = 8.64e15;
export const LAST_SECOND = 8.64e12;

/** The milliseconds of an instant. Throws `InvalidInstantError` for anything that is not an instant or lies outside the range of `Date`. */
export function instantMs(instant: Instant, name: string): number {
  const ms = typeof instant === 'number' ? instant : readMs(instant);
  if (ms >= -LAST_MS && ms <= LAST_MS) return ms;
  throw new InvalidInstantError(
    `${name} must be an instant: epoch milliseconds within ±8.64e15, a valid Date, or an object with toMillis(); got ${shown(instant)}`,
    { field: name, value: instant },
  );
}

function readMs(instant: unknown): number {
  if (typeof instant !== 'object' || instant === null) return Number.NaN;
  if (instant instanceof Date) return instant.getTime();
  const { toMillis } = instant as Partial<MillisLike>;
  const ms = typeof toMillis === 'function' ? toMillis.call(instant) : foreignDateMs(instant);
  return typeof ms === 'number' ? ms : Number.NaN;
}

/** A `Date` of another realm (an iframe, a vm) is not an instance of this realm's class. */
function foreignDateMs(instant: object): unknown {
  return isDate(instant) ? instant.getTime() : Number.NaN;
}

/** Whether an instant is a `Date`, so that the result is one too. */
export function isDate(instant: unknown): instant is Date {
  return instant instanceof Date || Object.prototype.toString.call(instant) === '[object Date]';
}

function shown(value: unknown): string {
  if (isDate(value)) return 'an invalid Date';
  if (typeof value === 'string') return JSON.stringify(value.length > 40 ? `${value.slice(0, 40)}…` : value);
  return typeof value === 'object' && value !== null ? 'an object without a usable toMillis()' : String(value);
}
