import { DAY_SECONDS, monthAndDay, monthLength, monthStart, weekdayOf, yearOfMonth } from '../../calendar/civil-day.js';
import type { RecurrenceRule } from './recurrence-rule.js';
import { type RuleDays, ruleDays } from './rule-days.js';

/** The limit of periods visited for the rules of one file: ten years of minutes fit, ten years of seconds do not. */
export const MAX_PERIODS = 6_000_000;

/** How many periods may still be visited. */
export interface PeriodBudget {
  periods: number;
}

/** The starts that a rule yields before its limit of periods is reached, or all of them. */
export type Expansion = { readonly starts: number[]; readonly complete: boolean };

/**
 * The starts that a rule yields from `start` on and before `end`, in local seconds since 1970, ascending; at most `limit`. It is
 * independent of zones: a rule applies to the wall clock. The start itself always counts as the first.
 */
export function expandRule(
  rule: RecurrenceRule,
  start: number,
  end: number,
  limit: number,
  budget: PeriodBudget,
): Expansion {
  const days = ruleDays(rule, Math.floor(start / DAY_SECONDS));
  const starts: number[] = [start];
  const period = periodsOf(rule, start, days);
  for (let index = 0; budget.periods > 0; index++) {
    budget.periods--;
    for (const second of positioned(period(index), rule.bySetPosition)) {
      if (second >= end || starts.length >= rule.count) return { starts, complete: true };
      if (second <= starts[starts.length - 1]!) continue;
      if (starts.length >= limit) return { starts, complete: false };
      starts.push(second);
    }
    if (period.startOf(index) >= end) return { starts, complete: true };
  }
  return { starts, complete: false };
}

interface Periods {
  /** The starts within the period with this index, ascending. */
  (index: number): number[];
  /** Where a period begins. */
  startOf(index: number): number;
}

const SECONDS = { SECONDLY: 1, MINUTELY: 60, HOURLY: 3600 } as const;

function periodsOf(rule: RecurrenceRule, start: number, days: RuleDays): Periods {
  const { frequency } = rule;
  if (frequency === 'SECONDLY' || frequency === 'MINUTELY' || frequency === 'HOURLY') {
    return clockPeriods(rule, start, days, SECONDS[frequency]);
  }
  const times = timesOfDay(rule, start - Math.floor(start / DAY_SECONDS) * DAY_SECONDS);
  const boundsOf = dayBounds(rule, Math.floor(start / DAY_SECONDS));
  const period = (index: number): number[] => {
    const [first, last] = boundsOf(index);
    const found: number[] = [];
    for (let day = first; day < last; day++) {
      if (days.has(day)) for (const time of times) found.push(day * DAY_SECONDS + time);
    }
    return found;
  };
  return Object.assign(period, { startOf: (index: number) => boundsOf(index)[0] * DAY_SECONDS });
}

/** First and last day (exclusive) of the period with an index: a year, month, week or day, `interval` of them apart. */
function dayBounds(rule: RecurrenceRule, startDay: number): (index: number) => readonly [number, number] {
  const { frequency, interval } = rule;
  const month = monthAndDay(startDay) >> 5;
  const year = yearOfMonth(month);
  const week = startDay - ((weekdayOf(startDay) - rule.weekStart + 7) % 7);
  return (index) => {
    const step = index * interval;
    if (frequency === 'YEARLY') return [monthStart((year + step) * 12), monthStart((year + step + 1) * 12)];
    if (frequency === 'MONTHLY')
      return [monthStart(month + step), monthStart(month + step) + monthLength(month + step)];
    if (frequency === 'WEEKLY') return [week + 7 * step, week + 7 * step + 7];
    return [startDay + step, startDay + step + 1];
  };
}

/** The seconds of a day that BYHOUR, BYMINUTE and BYSECOND name; what they leave out is taken from the start. */
function timesOfDay(rule: RecurrenceRule, start: number): number[] {
  const hours = rule.byHour.length > 0 ? rule.byHour : [Math.floor(start / 3600)];
  const minutes = rule.byMinute.length > 0 ? rule.byMinute : [Math.floor(start / 60) % 60];
  const seconds = rule.bySecond.length > 0 ? rule.bySecond : [start % 60];
  const all = hours.flatMap((hour) =>
    minutes.flatMap((minute) => seconds.map((second) => hour * 3600 + minute * 60 + second)),
  );
  return [...new Set(all)].sort((a, b) => a - b);
}

/** Hours, minutes or seconds, `interval` of them apart, that every part of the rule allows. */
function clockPeriods(rule: RecurrenceRule, start: number, days: RuleDays, unit: number): Periods {
  const from = Math.floor(start / unit) * unit;
  const offsets = innerSeconds(rule, start, unit);
  const startOf = (index: number): number => from + index * rule.interval * unit;
  const period = (index: number): number[] => {
    const begin = startOf(index);
    const day = Math.floor(begin / DAY_SECONDS);
    const time = begin - day * DAY_SECONDS;
    const allowed =
      days.has(day) &&
      (rule.byHour.length === 0 || rule.byHour.includes(Math.floor(time / 3600))) &&
      (unit > 60 || rule.byMinute.length === 0 || rule.byMinute.includes(Math.floor(time / 60) % 60)) &&
      (unit > 1 || rule.bySecond.length === 0 || rule.bySecond.includes(time % 60));
    return allowed ? offsets.map((offset) => begin + offset) : [];
  };
  return Object.assign(period, { startOf });
}

/** The seconds inside an hour or minute that finer parts of the rule name, or that of the start. */
function innerSeconds(rule: RecurrenceRule, start: number, unit: number): number[] {
  if (unit === 1) return [0];
  const seconds = rule.bySecond.length > 0 ? [...rule.bySecond] : [((start % 60) + 60) % 60];
  if (unit === 60) return seconds.sort((a, b) => a - b);
  const minutes = rule.byMinute.length > 0 ? rule.byMinute : [Math.floor((((start % 3600) + 3600) % 3600) / 60)];
  return minutes.flatMap((minute) => seconds.map((second) => minute * 60 + second)).sort((a, b) => a - b);
}

/** BYSETPOS picks from the starts of a period by their place, counted from its end when negative. */
function positioned(found: number[], positions: readonly number[]): number[] {
  if (positions.length === 0) return found;
  const picked = positions.map((position) => found[position > 0 ? position - 1 : found.length + position]);
  return picked.filter((second) => second !== undefined).sort((a, b) => a - b);
}
