import {
  type ClockTime,
  digits,
  type EveryUnit,
  type Grammar,
  hourAndMinute,
  type PhraseReader,
  type Words,
  weekdayRange,
} from './phrases.js';

const MONTHS = 'january february march april may june july august september october november december'.split(' ');
const WEEKDAYS = 'sunday monday tuesday wednesday thursday friday saturday'.split(' ');
const NUMBERS = 'two three four five six seven eight nine ten eleven twelve'.split(' ');
const UNITS: Readonly<Record<string, EveryUnit>> = {
  minute: 'minute',
  hour: 'hour',
  day: 'day',
  month: 'month',
  year: 'year',
};
const ADVERBS: Readonly<Record<string, EveryUnit>> = { hourly: 'hour', daily: 'day', monthly: 'month', yearly: 'year' };

const weekday = (word: string): number | null => indexOf(WEEKDAYS, word.replace(/s$/, ''));
const month = (word: string): number | null => {
  const index = indexOf(MONTHS, word);
  return index === null ? null : index + 1;
};

function indexOf(list: readonly string[], word: string): number | null {
  const index = list.indexOf(word);
  return index < 0 ? null : index;
}

/** `2`, `two` */
function count(word: string): number | null {
  const index = NUMBERS.indexOf(word);
  return index < 0 ? digits(word, 1, 999) : index + 2;
}

/** `1st`, `22nd` */
function ordinal(word: string): number | null {
  const parts = /^([0-9]{1,2})(st|nd|rd|th)$/.exec(word);
  if (parts === null) return null;
  const day = Number(parts[1]);
  const teens = day >= 11 && day <= 13;
  const wanted = teens ? 'th' : (['th', 'st', 'nd', 'rd'][day % 10] ?? 'th');
  return parts[2] === wanted && day >= 1 && day <= 31 ? day : null;
}

const every: PhraseReader = (words) => {
  const adverb = words.read((word) => (Object.hasOwn(ADVERBS, word) ? ADVERBS[word]! : null));
  if (adverb !== null) return { kind: 'every', unit: adverb, step: 1 };
  if (!words.takeOne('every', 'each')) return null;
  const step = words.takeOne('other', 'second') ? 2 : words.read(count);
  const unit = words.read((word) => {
    const name = step === null ? word : word.replace(/s$/, '');
    return Object.hasOwn(UNITS, name) ? UNITS[name]! : null;
  });
  if (unit === null || (unit === 'year' && step !== null)) return null;
  return { kind: 'every', unit, step: step ?? 1 };
};

const weekdays: PhraseReader = (words) => {
  const led = words.takeOne('every', 'each', 'on', 'from');
  if (words.takeOne('weekday', 'weekdays')) return { kind: 'weekdays', weekdays: weekdayRange(1, 5) };
  if (words.takeOne('weekend', 'weekends')) return { kind: 'weekdays', weekdays: [6, 0] };
  const range = words.attempt((next) => {
    const from = next.read(weekday);
    if (from === null || !next.take('to')) return null;
    const to = next.read(weekday);
    return to === null ? null : weekdayRange(from, to);
  });
  if (range !== null) return { kind: 'weekdays', weekdays: range };
  if (!led && !words.peek().endsWith('days')) return null;
  const list = words.list((next) => {
    next.takeOne('on');
    return next.read(weekday);
  }, 'and');
  return list === null ? null : { kind: 'weekdays', weekdays: list };
};

/** A time with its half of the day when one is named. */
interface SaidTime extends ClockTime {
  readonly half: 'am' | 'pm' | null;
}

function time(words: Words): SaidTime | null {
  if (words.takeOne('noon')) return { hour: 12, minute: 0, half: 'pm' };
  if (words.takeOne('midnight')) return { hour: 0, minute: 0, half: 'am' };
  const joined = /^([0-9:]+)(am|pm|a\.m|p\.m)$/.exec(words.peek());
  const text = joined?.[1] ?? words.peek();
  const hour = digits(text, 0, 23);
  const clock = hour === null ? hourAndMinute(text) : { hour, minute: 0 };
  if (clock === null) return null;
  words.place++;
  const half = joined?.[2] ?? words.read((word) => (/^[ap]\.?m$/.test(word) ? word : null));
  if (half === null) return { ...clock, half: null };
  if (clock.hour < 1 || clock.hour > 12) return null;
  const isAfternoon = half.startsWith('p');
  return { hour: (clock.hour % 12) + (isAfternoon ? 12 : 0), minute: clock.minute, half: isAfternoon ? 'pm' : 'am' };
}

const times: PhraseReader = (words) => {
  const led = words.take('at');
  if (!led && !['noon', 'midnight'].includes(words.peek())) return null;
  const list = words.list((next) => {
    next.take('at');
    return time(next);
  }, 'and');
  if (list === null) return null;
  // "At 9 and 5 pm" does not say which nine o'clock.
  const unsure = list.some(({ half }) => half !== null) && list.some(({ half, hour }) => half === null && hour <= 12);
  return unsure ? null : { kind: 'times', times: list };
};

const between: PhraseReader = (words) => {
  if (!words.take('between')) return null;
  const from = time(words);
  if (from === null || !words.take('and')) return null;
  const to = time(words);
  if (to === null || from.minute !== 0 || to.minute !== 0 || (from.half === null) !== (to.half === null)) return null;
  return { kind: 'between', from: from.hour, to: to.hour };
};

/** `24 December`, `24th of December`, `December 24` */
const date: PhraseReader = (words) => {
  words.take('on');
  words.take('the');
  const day = words.read((word) => ordinal(word) ?? digits(word, 1, 31));
  if (day !== null) {
    words.take('of');
    const inMonth = words.read(month);
    return inMonth === null ? null : { kind: 'date', day, month: inMonth };
  }
  const first = words.read(month);
  const second = first === null ? null : words.read((word) => ordinal(word) ?? digits(word, 1, 31));
  return first === null || second === null ? null : { kind: 'date', day: second, month: first };
};

const days: PhraseReader = (words) => {
  if (!words.take('on')) return null;
  const list = words.list((next) => {
    next.take('on');
    next.take('the');
    return next.read(ordinal);
  }, 'and');
  if (list === null) return null;
  if (words.take('of')) {
    if (!words.takeOne('the', 'every', 'each') || !words.take('month')) return null;
  }
  return { kind: 'days', days: list };
};

const months: PhraseReader = (words) => {
  if (!words.take('in')) return null;
  const list = words.list((next) => {
    next.take('in');
    return next.read(month);
  }, 'and');
  return list === null ? null : { kind: 'months', months: list };
};

/** The closed grammar of English. */
export const ENGLISH: Grammar = {
  phrases: [every, weekdays, times, between, date, days, months],
  spelling: (word) => word,
  reasons: {
    notUnderstood: 'not understood',
    noWords: 'there are no words',
    hourOnly: 'goes with "every hour" only',
    clash: 'does not go with the rest',
    unevenTimes: 'one expression has the same minutes in every hour; write one for each time',
    unevenSteps: (step, whole, unit) => `${step} does not divide the ${whole} ${unit}s, so the steps would be uneven`,
    tooManyDays: 'the days begin again with each month; 15 is the most',
  },
};
