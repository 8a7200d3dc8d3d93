/**
 * The three languages: strict POSIX with five fields; `vixie`, the crontab of Debian and most other systems, with steps, names and
 * macros; and Quartz with six or seven fields, seconds first.
 */
export type CronDialect = 'posix' | 'vixie' | 'quartz';

/**
 * A parsed cron expression: frozen, free of methods, safe to share and to keep for ever. The sets are bit masks; minutes and
 * seconds are split in two halves of 30 bits. Make one with `parseCron`; read it with the functions of this package.
 */
export interface CronExpression {
  readonly dialect: CronDialect;
  /** The text that was parsed, as it was given. */
  readonly text: string;
  readonly secondsLow: number;
  readonly secondsHigh: number;
  readonly minutesLow: number;
  readonly minutesHigh: number;
  readonly hours: number;
  /** Days of the month; bit 0 is the first. */
  readonly days: number;
  /** Bit 0 is January. */
  readonly months: number;
  /** Bit 0 is Sunday, in every dialect. */
  readonly weekdays: number;
  /** POSIX judges by the text: `1-31` is restricted, `*` is not. Both restricted: either is enough, unless `monthRule` says otherwise. */
  readonly dayRestricted: boolean;
  readonly weekdayRestricted: boolean;
  /** How day and weekday combine when it is not the rule of POSIX, or days that depend on the month (`L`, `W`, `#`). */
  readonly monthRule: MonthRule | null;
  /** Years from 1970 as bit masks of 30 years each, or null when every year is allowed. */
  readonly years: readonly number[] | null;
  /** The first and the last allowed second of a day; they follow from the sets. */
  readonly firstTime: number;
  readonly lastTime: number;
  /** Second 0 only, every year, no `monthRule`: the search in whole minutes is enough. It follows from the sets. */
  readonly plain: boolean;
  /** False when no calendar date can satisfy it, as in `0 0 30 2 *`. */
  readonly fires: boolean;
}

/** Days that depend on where the month begins and how long it is. */
export type MonthRule =
  | {
      readonly kind: 'quartz';
      /** Bit n: the day n days before the last of the month (`L`, `L-3`). */
      readonly fromEnd: number;
      /** Bit n: the working day nearest to that day (`LW`, `L-3W`). */
      readonly workdayFromEnd: number;
      /** Bit n: the working day nearest to day n + 1 (`15W`). */
      readonly workday: number;
      /** Bit w: the last such weekday of the month (`6L`), Sunday = 0. */
      readonly lastWeekdays: number;
      /** For each m from 1 to 5 at index m - 1, the weekdays whose m-th of the month is meant (`6#3`). */
      readonly nthWeekdays: readonly number[];
    }
  /** Day and weekday must both match: a crontab in which one of the two begins with `*` and neither allows every day. */
  | { readonly kind: 'day-and-weekday' }
  /** The days that two expressions share; how collisions are found without walking either. */
  | { readonly kind: 'both'; readonly left: CronExpression; readonly right: CronExpression };

/** The first year of the Quartz year field. */
export const FIRST_YEAR = 1970;

/** The last year of the Quartz year field. */
export const LAST_YEAR = 2099;

/**
 * Whether two values mean the same by their fields: sets, and whether day and weekday are restricted. The spelling of the text does
 * not count (`1,2,3` equals `1-3`), nor does it whether it was POSIX or a crontab (`0/30` equals `0,30`): both are judged per minute.
 * Quartz is judged per second, so its values equal only each other. Two texts that happen to fire together but restrict different
 * fields are not equal.
 */
export function cronEquals(a: CronExpression, b: CronExpression): boolean {
  return (
    a === b ||
    ((a.dialect === 'quartz') === (b.dialect === 'quartz') &&
      a.secondsLow === b.secondsLow &&
      a.secondsHigh === b.secondsHigh &&
      a.minutesLow === b.minutesLow &&
      a.minutesHigh === b.minutesHigh &&
      a.hours === b.hours &&
      a.days === b.days &&
      a.months === b.months &&
      a.weekdays === b.weekdays &&
      a.dayRestricted === b.dayRestricted &&
      a.weekdayRestricted === b.weekdayRestricted &&
      // The rules are flat data built in one place, with their keys in one order.
      JSON.stringify(a.monthRule) === JSON.stringify(b.monthRule) &&
      JSON.stringify(a.years) === JSON.stringify(b.years))
  );
}
