import { DAY_SECONDS } from '../calendar/civil-day.js';
import { countLocal } from '../calendar/local-count.js';
import { members } from '../value/bits.js';
import { checkExpression } from '../value/check-argument.js';
import type { CronExpression } from '../value/cron-expression.js';
import type { CronFieldName } from '../value/cron-fault.js';
import { type Instant, instantMs } from '../value/instant.js';
import { clockTime, shiftAfter, type ZoneShift } from '../zone/shift-note.js';
import { zoneTable } from '../zone/zones.js';

/** The kinds of lint. */
export type LintCode =
  | 'never-fires'
  | 'day-or-weekday'
  | 'day-and-weekday'
  | 'full-range'
  | 'leap-day-only'
  | 'skips-short-months'
  | 'clock-change-hours'
  | 'skipped-by-clock-change'
  | 'repeated-by-clock-change';

/** Something about an expression that may surprise its reader. */
export interface Lint {
  readonly code: LintCode;
  readonly severity: 'info' | 'warning';
  readonly message: string;
  readonly field?: Exclude<CronFieldName, 'expression'>;
}

/** With a zone the clock changes of the year after `from` are judged (of 2030 when left out); without one, hours alone. */
export interface LintOptions {
  /** The zone whose clock changes are judged; without it none are. */
  zone?: string;
  /** Where the judged year begins; 2030 when left out. */
  from?: Instant;
}

/** 2030-01-01, far enough that every runtime answers by the rules it expects to last. */
const DEFAULT_FROM = 1_893_456_000;

/**
 * The lints of an expression that might surprise its reader, most serious first; empty when there are none. It judges the value, so two
 * spellings of it have the same lints.
 */
export function lintCron(e: CronExpression, options?: LintOptions): Lint[] {
  checkExpression(e);
  if (!e.fires) {
    return [
      {
        code: 'never-fires',
        severity: 'warning',
        message: 'It never fires: no date satisfies day, month and year.',
        field: 'day',
      },
    ];
  }
  return [...dayLints(e), ...(options?.zone === undefined ? hourLints(e) : zoneLints(e, options.zone, options.from))];
}

function dayLints(e: CronExpression): Lint[] {
  const lints: Lint[] = [];
  const add = (code: LintCode, severity: Lint['severity'], field: 'day' | 'weekday', message: string): void => {
    lints.push({ code, severity, message, field });
  };
  const both = e.monthRule?.kind === 'day-and-weekday';
  const either = e.dialect !== 'quartz' && !both && e.dayRestricted && e.weekdayRestricted;
  if (both) {
    add(
      'day-and-weekday',
      'warning',
      'weekday',
      'Day or weekday begins with "*": it fires only when both match, not when either does.',
    );
  }
  if (either) {
    add(
      'day-or-weekday',
      'warning',
      'weekday',
      'Day and weekday are both restricted: it fires when either matches, not only when both do.',
    );
  }
  if (e.dialect !== 'quartz' && e.dayRestricted && e.days === 0x7fff_ffff) {
    add(
      'full-range',
      either ? 'warning' : 'info',
      'day',
      'A full range counts as restricted; write "*" if every day is meant.',
    );
  }
  if (e.dialect !== 'quartz' && e.weekdayRestricted && e.weekdays === 0x7f) {
    add(
      'full-range',
      either ? 'warning' : 'info',
      'weekday',
      'A full range counts as restricted; write "*" if every weekday is meant.',
    );
  }
  if (!e.dayRestricted || e.weekdayRestricted || e.monthRule !== null) return lints;
  const shortest = members(e.days, 1)[0]!;
  if (e.months === 0b10 && shortest === 29) {
    add('leap-day-only', 'warning', 'day', 'It fires on 29 February only: in leap years, at most once in four years.');
  } else if (shortest > 28 && skipsMonths(e.months, shortest)) {
    add(
      'skips-short-months',
      'warning',
      'day',
      `Months without a day ${shortest} are skipped; nothing moves to their last day.`,
    );
  }
  return lints;
}

function skipsMonths(months: number, day: number): boolean {
  const has31 = 0b1010_1101_0101;
  return (months & 0b10) !== 0 || (day === 31 && (months & ~has31) !== 0);
}

/** Most clock changes on earth fall between midnight and four; an expression bound to these hours meets them. */
function hourLints(e: CronExpression): Lint[] {
  if (e.hours === 0xff_ffff || (e.hours & 0b1111) === 0) return [];
  const message =
    'Clocks change between 00:00 and 04:00 in most zones: there it is skipped once and fires twice once a year. Lint with a zone to know.';
  return [{ code: 'clock-change-hours', severity: 'info', message, field: 'hour' }];
}

function zoneLints(e: CronExpression, zone: string, from: Instant | undefined): Lint[] {
  const table = zoneTable(zone);
  const start = from === undefined ? DEFAULT_FROM : Math.floor(instantMs(from, 'from') / 1000);
  const end = start + 366 * DAY_SECONDS;
  const lints: Lint[] = [];
  // A year has a handful of clock changes; the bound is a guard only.
  for (let second = start, seen = 0; seen < 32; seen++) {
    const shift = shiftAfter(table, second, end);
    if (shift === null) break;
    const lint = shiftLint(e, shift, zone);
    if (lint !== null) lints.push(lint);
    second = shift.at;
  }
  return lints;
}

function shiftLint(e: CronExpression, shift: ZoneShift, zone: string): Lint | null {
  const before = shift.at + shift.before;
  const after = shift.at + shift.after;
  // An expression that fires in every hour of the day loses or gains occurrences as expected.
  if (e.hours === 0xff_ffff) return null;
  const count = countLocal(e, Math.min(before, after), Math.max(before, after));
  if (count === 0) return null;
  const times = count === 1 ? 'one time' : `${count} times`;
  if (after > before) {
    const message = `In ${zone} ${times} of it will be skipped when the clock goes from ${clockTime(before)} to ${clockTime(after)}.`;
    return { code: 'skipped-by-clock-change', severity: 'warning', message, field: 'hour' };
  }
  const message = `In ${zone} ${times} of it will fire twice when the clock goes back from ${clockTime(before)} to ${clockTime(after)}.`;
  return { code: 'repeated-by-clock-change', severity: 'warning', message, field: 'hour' };
}
