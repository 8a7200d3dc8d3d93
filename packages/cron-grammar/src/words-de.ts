import type { CronWords } from './cron-words.js';

const MONTHS = 'Januar Februar März April Mai Juni Juli August September Oktober November Dezember'.split(' ');
const WEEKDAYS = 'Sonntag Montag Dienstag Mittwoch Donnerstag Freitag Samstag'.split(' ');
const NTH = ['ersten', 'zweiten', 'dritten', 'vierten', 'fünften'];
const JOINERS = { and: 'und', or: 'oder' };

function list(items: readonly string[], joiner: 'and' | 'or'): string {
  return items.length < 2
    ? (items[0] ?? '')
    : `${items.slice(0, -1).join(', ')} ${JOINERS[joiner]} ${items[items.length - 1]}`;
}

function spans(items: readonly (number | readonly [number, number])[], name: (value: number) => string): string[] {
  return items.map((item) => (typeof item === 'number' ? name(item) : `${name(item[0])} bis ${name(item[1])}`));
}

/** German. */
export const GERMAN: CronWords = {
  list,
  everySecond: 'jede Sekunde',
  everyMinute: 'jede Minute',
  everySeconds: (step) => `alle ${step} Sekunden`,
  everyMinutes: (step) => `alle ${step} Minuten`,
  atSeconds: (seconds) => `in Sekunde ${list(seconds, 'and')}`,
  everyHourAt: (minutes) =>
    minutes.length === 1 && minutes[0] === '0'
      ? 'jede Stunde zur vollen Stunde'
      : `jede Stunde in Minute ${list(minutes, 'and')}`,
  atMinutesOfHours: (minutes, hours) =>
    `in Minute ${list(minutes, 'and')} der ${hours.length > 1 ? 'Stunden' : 'Stunde'} ${list(hours, 'and')}`,
  atTimes: (times) => `um ${list(times, 'and')} Uhr`,
  fromTo: (first, last) => `von ${first} bis ${last} Uhr`,
  inHours: (hours) => `in ${hours.length > 1 ? 'den Stunden' : 'der Stunde'} ${list(hours, 'and')}`,
  everyDay: 'jeden Tag',
  onDays: (days) =>
    `am ${list(
      spans(days, (day) => `${day}.`),
      'and',
    )} des Monats`,
  onWeekdays: (weekdays) =>
    weekdays.length === 1 && typeof weekdays[0] === 'object'
      ? `von ${spans(weekdays, (value) => WEEKDAYS[value]!)[0]}`
      : `am ${list(
          spans(weekdays, (value) => WEEKDAYS[value]!),
          'and',
        )}`,
  inMonths: (months) =>
    `im ${list(
      spans(months, (value) => MONTHS[value - 1]!),
      'and',
    )}`,
  inYears: (years) =>
    `im ${years.length > 1 ? 'den Jahren' : 'Jahr'} ${list(years, 'and')}`.replace('im den', 'in den'),
  lastDay: (back, workday) => {
    if (workday) {
      return back === 0
        ? 'am letzten Werktag des Monats'
        : `am Werktag, der ${dayBefore(back)} vor dem letzten Tag des Monats am nächsten liegt`;
    }
    return back === 0 ? 'am letzten Tag des Monats' : `${dayBefore(back)} vor dem letzten Tag des Monats`;
  },
  nearestWorkday: (day) => `am Werktag, der dem ${day}. am nächsten liegt`,
  lastWeekday: (weekday) => `am letzten ${WEEKDAYS[weekday]} des Monats`,
  nthWeekday: (weekday, nth) => `am ${NTH[nth - 1]} ${WEEKDAYS[weekday]} des Monats`,
  either: (first, second) => `${first} oder ${second}`,
  never: 'nie, denn ein solches Datum gibt es nicht',
};

function dayBefore(back: number): string {
  return back === 1 ? 'einen Tag' : `${back} Tage`;
}
