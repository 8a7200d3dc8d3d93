import { HoraeError } from '@horae/clock-store';
import { shownValue } from './shown-value.js';

/** An option of `createScheduler`, `initialize` or `stop` that cannot be used. */
export class SchedulerOptionError extends HoraeError<{ option: string; value: unknown }> {
  readonly code: string = 'bad-scheduler-option';
}

/** The number, when it is finite and at least `least`. */
export function checkNumber(option: string, value: unknown, least: number): number {
  if (typeof value === 'number' && Number.isFinite(value) && value >= least) return value;
  throw badOption(option, value, `a finite number from ${least} on`);
}

/** The number, when it is whole and at least `least`. */
export function checkWhole(option: string, value: unknown, least: number): number {
  if (typeof value === 'number' && Number.isInteger(value) && value >= least) return value;
  throw badOption(option, value, `a whole number from ${least} on`);
}

/** The value, when it is one of `known`. */
export function checkOneOf<Word extends string>(option: string, value: unknown, known: readonly Word[]): Word {
  if (known.includes(value as Word)) return value as Word;
  throw badOption(option, value, `one of ${known.map((word) => `'${word}'`).join(', ')}`);
}

/** The error for an option that is not as `wanted` describes. */
export function badOption(option: string, value: unknown, wanted: string, cause?: unknown): SchedulerOptionError {
  const details = { option, value };
  const message = `${option} must be ${wanted}, got ${shownValue(value)}`;
  return cause === undefined
    ? new SchedulerOptionError(message, details)
    : new SchedulerOptionError(message, details, { cause });
}
