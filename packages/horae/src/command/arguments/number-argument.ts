import { UsageError } from '../frame/command-errors.js';

/** Parses a whole number, or returns the default. Other values are wrong usage. */
export function wholeNumber(
  option: string,
  text: string | undefined,
  { fallback, least, most }: { fallback: number; least: number; most: number },
): number {
  if (text === undefined) return fallback;
  const value = /^[+-]?\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= least && value <= most) return value;
  throw new UsageError(`${option} must be a whole number from ${least} to ${most}, got "${text}"`, {
    hint: `for example ${option} ${Math.min(most, Math.max(least, fallback))}`,
  });
}

/** Parses a fraction, or returns the default. */
export function fraction(option: string, text: string | undefined, fallback: number, most = 1): number {
  if (text === undefined) return fallback;
  const value = text.trim() === '' ? Number.NaN : Number(text);
  if (value >= 0 && value <= most) return value;
  throw new UsageError(`${option} must be a number from 0 to ${most}, got "${text}"`, {
    hint: `for example ${option} 0.1`,
  });
}
