import type { CronWords } from './cron-words.js';

const MONTHS = 'January February March April May June July August September October November December'.split(' ');
const WEEKDAYS = 'Sunday Monday Tuesday Wednesday Thursday Friday Saturday'.split(' ');
const NTH = ['first', 'second', 'third', 'fourth', 'fifth'];

function list(items: readonly string[], joiner: 'and' | 'or'): string {
  return items.length < 2 ? (items[0] ?? '') : `${items.slice(0, -1).join(', ')} ${joiner} ${items[items.length - 1]}`;
}

function ordinal(day: number): string {
  const tens = day % 100 >= 11 && day % 100 <= 13;
  return `${day}${tens ? 'th' : (['th', 'st', 'nd', 'rd'][day % 10] ?? 'th')}`;
}

function spans(items: readonly (number | readonly [number, number])[], name: (value: number) => string): string[] {
  return items.map((item) => (typeof item === 'number' ? name(item) : `${name(item[0])} to ${name(item[1])}`));
}

/** English. */
export const ENGLISH: CronWords = {
  list,
  everySecond: 'every second',
  everyMinute: 'every minute',
  everySeconds: (step) => `every ${step} seconds`,
  everyMinutes: (step) => `every ${step} minutes`,
  atSeconds: (seconds) => `at ${seconds.length > 1 ? 'seconds' : 'second'} ${list(seconds, 'and')}`,
  everyHourAt: (minutes) =>
    minutes.length === 1 && minutes[0] === '0'
      ? 'every hour on the hour'
      : `every hour at ${minutes.length > 1 ? 'minutes' : 'minute'} ${list(minutes, 'and')}`,
  atMinutesOfHours: (minutes, hours) =>
    `at ${minutes.length > 1 ? 'minutes' : 'minute'} ${list(minutes, 'and')} of ${hours.length > 1 ? 'hours' : 'hour'} ${list(hours, 'and')}`,
  atTimes: (times) => `at ${list(times, 'and')}`,
  fromTo: (first, last) => `from ${first} to ${last}`,
  inHours: (hours) => `in ${hours.length > 1 ? 'the hours' : 'the hour'} ${list(hours, 'and')}`,
  everyDay: 'every day',
  onDays: (days) => `on the ${list(spans(days, ordinal), 'and')} of the month`,
  onWeekdays: (weekdays) =>
    weekdays.length === 1 && typeof weekdays[0] === 'object'
      ? `from ${spans(weekdays, (value) => WEEKDAYS[value]!)[0]}`
      : `on ${list(
          spans(weekdays, (value) => WEEKDAYS[value]!),
          'and',
        )}`,
  inMonths: (months) =>
    `in ${list(
      spans(months, (value) => MONTHS[value - 1]!),
      'and',
    )}`,
  inYears: (years) => `in ${list(years, 'and')}`,
  lastDay: (back, workday) => {
    const day =
      back === 0 ? 'last day of the month' : `day ${back} ${back === 1 ? 'day' : 'days'} before the last of the month`;
    return workday ? `on the working day nearest the ${day}` : `on the ${day}`;
  },
  nearestWorkday: (day) => `on the working day nearest the ${ordinal(day)}`,
  lastWeekday: (weekday) => `on the last ${WEEKDAYS[weekday]} of the month`,
  nthWeekday: (weekday, nth) => `on the ${NTH[nth - 1]} ${WEEKDAYS[weekday]} of the month`,
  either: (first, second) => `${first} or ${second}`,
  never: 'never, because no such date exists',
};
