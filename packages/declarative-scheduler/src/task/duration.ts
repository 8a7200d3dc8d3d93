import { DurationInputError, type DurationLike, toDurationMs } from '@horae/clock-store';

/** Milliseconds, anything with `toMillis()` such as a luxon `Duration`, or text: `90s`, `1h30m`, `PT5M`. */
export type DurationInput = DurationLike | string;

/** The forms that a duration may have, for error messages. */
export const DURATION_FORMS =
  "milliseconds, a luxon Duration, or text such as '500ms', '90s', '5m', '1h30m', '2d', 'PT5M' or 'P1DT2H'";

const NUMBER = '(\\d{1,12}(?:\\.\\d{1,6})?)';
const SHORT = new RegExp(`^(?=\\d)(?:${NUMBER}d)?(?:${NUMBER}h)?(?:${NUMBER}m)?(?:${NUMBER}s)?(?:${NUMBER}ms)?$`);
const SHORT_UNITS_MS = [86_400_000, 3_600_000, 60_000, 1_000, 1];
const ISO = new RegExp(
  `^P(?=.)(?:${NUMBER}W)?(?:${NUMBER}D)?(?:T(?=.)(?:${NUMBER}H)?(?:${NUMBER}M)?(?:${NUMBER}S)?)?$`,
);
const ISO_UNITS_MS = [604_800_000, 86_400_000, 3_600_000, 60_000, 1_000];

/**
 * The milliseconds of a duration; throws `DurationInputError` for everything else. Years and months of ISO text are refused: they
 * have no fixed length. Negative numbers pass, because only the caller knows whether they make sense.
 */
export function readDuration(value: unknown): number {
  if (typeof value !== 'string') return toDurationMs(value as DurationLike);
  const short = SHORT.exec(value);
  const parts = short ?? ISO.exec(value);
  const ms = parts === null ? Number.NaN : sum(parts, short === null ? ISO_UNITS_MS : SHORT_UNITS_MS);
  if (Number.isFinite(ms)) return ms;
  throw new DurationInputError(`A duration is ${DURATION_FORMS}; got ${JSON.stringify(value)}`, { value });
}

function sum(parts: RegExpExecArray, unitsMs: readonly number[]): number {
  return unitsMs.reduce((total, unitMs, i) => total + Number(parts[i + 1] ?? 0) * unitMs, 0);
}
