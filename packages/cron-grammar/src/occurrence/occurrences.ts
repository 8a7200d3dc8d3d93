import type { EpochMs } from '@horae/clock-store';
import type { Calendar } from '../exclusion/calendar.js';
import { calendarsOf } from '../exclusion/check-except.js';
import { checkExpression, checkLimit } from '../value/check-argument.js';
import { CronArgumentError } from '../value/cron-errors.js';
import type { CronExpression } from '../value/cron-expression.js';
import { type Instant, instantMs, isDate, type MillisLike } from '../value/instant.js';
import { shownValue } from '../value/shown-value.js';
import { zoneTable } from '../zone/zones.js';
import { firstAtOrAfter, lastAtOrBefore } from './seek.js';
import { firstAllowed, lastAllowed } from './seek-except.js';

/** Where a walk begins and ends. */
export interface OccurrencesOptions<From extends Instant = Instant> {
  /** Forward: included. Backward: excluded. A `Date` here makes the walk yield `Date`s. */
  from: From;
  /** Forward: excluded. Backward: included. Endless when left out. */
  to?: Instant;
  /** The host's zone when left out. */
  zone?: string;
  /** Which way to walk; `forward` when left out. */
  direction?: 'forward' | 'backward';
  /** The maximum number of occurrences. */
  limit?: number;
  /** Occurrences that these calendars exclude are left out. */
  except?: readonly Calendar[];
}

/**
 * The occurrences from one instant towards another, lazily: forward `[from, to)` ascending, backward `[to, from)` descending, so that
 * swapped ends yield the same set reversed. Ends early when there is nothing more within 400 years. Arguments are checked at the call, not
 * at the first step.
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
    throw new CronArgumentError(`direction must be 'forward' or 'backward', got ${shownValue(direction)}`, {
      field: 'direction',
      value: direction,
    });
  }
  const from = Math.ceil(instantMs(options.from, 'from') / 1000);
  const to = options.to === undefined ? undefined : Math.ceil(instantMs(options.to, 'to') / 1000);
  const limit = checkLimit(options.limit);
  // An unknown zone throws here; the walk looks the table up at each step, because other calls may have used it in between.
  zoneTable(options.zone);
  const walk: Walk = { e, zone: options.zone, limit, calendars: calendarsOf(options) };
  const seconds = direction === 'forward' ? forward(walk, from, to) : backward(walk, from, to);
  return typeof options.from !== 'number' && isDate(options.from) ? asDates(seconds) : seconds;
}

interface Walk {
  readonly e: CronExpression;
  readonly zone: string | undefined;
  readonly limit: number;
  readonly calendars: readonly Calendar[];
}

function* forward({ e, zone, limit, calendars }: Walk, from: number, to = Number.POSITIVE_INFINITY) {
  for (let second = from, given = 0; given < limit; given++) {
    const table = zoneTable(zone);
    const found = calendars.length === 0 ? firstAtOrAfter(e, second, table) : firstAllowed(e, second, table, calendars);
    if (!(found < to)) return;
    yield found * 1000;
    second = found + 1;
  }
}

function* backward({ e, zone, limit, calendars }: Walk, from: number, to = Number.NEGATIVE_INFINITY) {
  for (let second = from - 1, given = 0; given < limit; given++) {
    const table = zoneTable(zone);
    const found = calendars.length === 0 ? lastAtOrBefore(e, second, table) : lastAllowed(e, second, table, calendars);
    if (!(found >= to)) return;
    yield found * 1000;
    second = found - 1;
  }
}

function* asDates(instants: Generator<number, void, undefined>): Generator<Date, void, undefined> {
  for (const ms of instants) yield new Date(ms);
}
