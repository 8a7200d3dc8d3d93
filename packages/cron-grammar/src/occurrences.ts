import type { EpochMs } from '@horae/clock-store';
import { checkExpression, checkLimit } from './check-argument.js';
import { CronArgumentError } from './cron-errors.js';
import type { CronExpression } from './cron-expression.js';
import { type Instant, instantMs, isDate, type MillisLike } from './instant.js';
import { firstAtOrAfter, lastAtOrBefore } from './occurrence.js';
import { zoneTable } from './zones.js';

/** Where a walk begins and ends. */
export interface OccurrencesOptions<From extends Instant = Instant> {
  /** Forward: included. Backward: excluded. A `Date` here makes the walk yield `Date`s. */
  from: From;
  /** Forward: excluded. Backward: included. Endless when left out. */
  to?: Instant;
  /** The host's zone when left out. */
  zone?: string;
  direction?: 'forward' | 'backward';
  /** At most so many. */
  limit?: number;
}

/**
 * The occurrences from one instant towards another, lazily: forward `[from, to)` ascending, backward `[to, from)` descending, so
 * that swapped ends give the same set reversed. Ends early when there is nothing more within 400 years. Arguments are checked at
 * the call, not at the first step.
 */
export function occurrences(e: CronExpression, options: OccurrencesOptions<Date>): Generator<Date, void, undefined>;
export function occurrences(
  e: CronExpression,
  options: OccurrencesOptions<EpochMs | MillisLike>,
): Generator<EpochMs, void, undefined>;
export function occurrences(e: CronExpression, options: OccurrencesOptions): Generator<EpochMs | Date, void, undefined>;
export function occurrences(
  e: CronExpression,
  options: OccurrencesOptions,
): Generator<EpochMs | Date, void, undefined> {
  checkExpression(e);
  const direction = options.direction ?? 'forward';
  if (direction !== 'forward' && direction !== 'backward') {
    throw new CronArgumentError(`direction must be 'forward' or 'backward', got ${String(direction)}`, {
      field: 'direction',
      value: direction,
    });
  }
  const from = Math.ceil(instantMs(options.from, 'from') / 1000);
  const to = options.to === undefined ? undefined : Math.ceil(instantMs(options.to, 'to') / 1000);
  const limit = checkLimit(options.limit);
  // An unknown zone is told at the call; the walk asks for the table at each step, because others may have used it meanwhile.
  zoneTable(options.zone);
  const seconds =
    direction === 'forward' ? forward(e, from, to, limit, options.zone) : backward(e, from, to, limit, options.zone);
  return typeof options.from !== 'number' && isDate(options.from) ? asDates(seconds) : seconds;
}

function* forward(e: CronExpression, from: number, to = Number.POSITIVE_INFINITY, limit: number, zone?: string) {
  for (let second = from, given = 0; given < limit; given++) {
    const found = firstAtOrAfter(e, second, zoneTable(zone));
    if (!(found < to)) return;
    yield found * 1000;
    second = found + 1;
  }
}

function* backward(e: CronExpression, from: number, to = Number.NEGATIVE_INFINITY, limit: number, zone?: string) {
  for (let second = from - 1, given = 0; given < limit; given++) {
    const found = lastAtOrBefore(e, second, zoneTable(zone));
    if (!(found >= to)) return;
    yield found * 1000;
    second = found - 1;
  }
}

function* asDates(instants: Generator<number, void, undefined>): Generator<Date, void, undefined> {
  for (const ms of instants) yield new Date(ms);
}
