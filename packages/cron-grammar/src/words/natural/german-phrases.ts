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

const MONTHS = 'januar februar märz april mai juni juli august september oktober november dezember'.split(' ');
const WEEKDAYS = 'sonntag montag dienstag mittwoch donnerstag freitag samstag'.split(' ');
const NUMBERS = 'zwei drei vier fünf sechs sieben acht neun zehn elf zwölf'.split(' ');
const ADVERBS: Readonly<Record<string, EveryUnit>> = {
  stündlich: 'hour',
  täglich: 'day',
  monatlich: 'month',
  jährlich: 'year',
};
const SINGULAR: Readonly<Record<string, EveryUnit>> = {
  'jede minute': 'minute',
  'jede stunde': 'hour',
  'jeden tag': 'day',
  'jeden monat': 'month',
  'jedes jahr': 'year',
};
const SECOND: Readonly<Record<string, EveryUnit>> = {
  'jede zweite minute': 'minute',
  'jede zweite stunde': 'hour',
  'jeden zweiten tag': 'day',
  'jeden zweiten monat': 'month',
};
const PLURAL: Readonly<Record<string, EveryUnit>> = {
  minuten: 'minute',
  stunden: 'hour',
  tage: 'day',
  monate: 'month',
};

/** The units whose steps must come out even, as they are counted. */
const PLURALS = { minute: 'Minuten', hour: 'Stunden', month: 'Monate' } as const;

function named(list: readonly string[], word: string): number | null {
  const index = list.indexOf(word);
  return index < 0 ? null : index;
}

const weekday = (word: string): number | null => named(WEEKDAYS, word.replace(/^sonnabend/, 'samstag'));
/** `montags` */
const onWeekdays = (word: string): number | null => (word.endsWith('s') ? weekday(word.slice(0, -1)) : null);
const month = (word: string): number | null => {
  const index = named(MONTHS, word);
  return index === null ? null : index + 1;
};
const dayNumber = (word: string): number | null => digits(word, 1, 31);

const every: PhraseReader = (words) => {
  const adverb = words.read((word) => (Object.hasOwn(ADVERBS, word) ? ADVERBS[word]! : null));
  if (adverb !== null) return { kind: 'every', unit: adverb, step: 1 };
  if (words.take('alle')) {
    const step = words.read((word) => {
      const index = NUMBERS.indexOf(word);
      return index < 0 ? digits(word, 1, 999) : index + 2;
    });
    const unit = words.read((word) => (Object.hasOwn(PLURAL, word) ? PLURAL[word]! : null));
    return step === null || unit === null ? null : { kind: 'every', unit, step };
  }
  for (const [said, step, length] of [
    [SECOND, 2, 3],
    [SINGULAR, 1, 2],
  ] as const) {
    const text = Array.from({ length }, (_, ahead) => words.peek(ahead)).join(' ');
    if (!Object.hasOwn(said, text)) continue;
    words.place += length;
    return { kind: 'every', unit: said[text]!, step };
  }
  return null;
};

/** `von Montag bis Freitag`, `montags bis freitags` */
const rangeOf = (day: (word: string) => number | null) => (words: Words) => {
  words.take('von');
  const from = words.read(day);
  if (from === null || !words.take('bis')) return null;
  const to = words.read(day);
  return to === null ? null : weekdayRange(from, to);
};

const weekdays: PhraseReader = (words) => {
  if (words.take('werktags') || words.take('an', 'werktagen') || words.take('jeden', 'werktag'))
    return { kind: 'weekdays', weekdays: weekdayRange(1, 5) };
  if (words.take('am', 'wochenende') || words.take('jedes', 'wochenende'))
    return { kind: 'weekdays', weekdays: [6, 0] };
  const range = words.attempt(rangeOf(onWeekdays)) ?? words.attempt(rangeOf(weekday));
  if (range !== null) return { kind: 'weekdays', weekdays: range };
  const adverbs = words.list((next) => next.read(onWeekdays), 'und');
  if (adverbs !== null) return { kind: 'weekdays', weekdays: adverbs };
  if (!words.takeOne('jeden', 'am')) return null;
  const list = words.list((next) => {
    next.takeOne('jeden', 'am');
    return next.read(weekday);
  }, 'und');
  return list === null ? null : { kind: 'weekdays', weekdays: list };
};

/** `9`, `9 Uhr`, `9 Uhr 30`, `9:30`, `9:30 Uhr`, `Mitternacht` */
function time(words: Words): ClockTime | null {
  if (words.take('mitternacht')) return { hour: 0, minute: 0 };
  const hour = words.read((word) => digits(word, 0, 23));
  if (hour === null) {
    const clock = words.read(hourAndMinute);
    if (clock !== null) words.take('uhr');
    return clock;
  }
  if (!words.take('uhr')) return { hour, minute: 0 };
  return { hour, minute: words.read((word) => digits(word, 0, 59)) ?? 0 };
}

const times: PhraseReader = (words) => {
  if (words.take('mittags')) return { kind: 'times', times: [{ hour: 12, minute: 0 }] };
  if (words.take('mitternachts')) return { kind: 'times', times: [{ hour: 0, minute: 0 }] };
  if (!words.take('um')) return null;
  const list = words.list((next) => {
    next.take('um');
    return time(next);
  }, 'und');
  return list === null ? null : { kind: 'times', times: list };
};

const between: PhraseReader = (words) => {
  if (!words.take('zwischen')) return null;
  const from = time(words);
  if (from === null || !words.take('und')) return null;
  const to = time(words);
  if (to === null || from.minute !== 0 || to.minute !== 0) return null;
  return { kind: 'between', from: from.hour, to: to.hour };
};

/** `am 24. Dezember` */
const date: PhraseReader = (words) => {
  words.take('am');
  const day = words.read(dayNumber);
  const inMonth = day === null ? null : words.read(month);
  return day === null || inMonth === null ? null : { kind: 'date', day, month: inMonth };
};

const days: PhraseReader = (words) => {
  if (!words.take('am')) return null;
  const list = words.list((next) => {
    next.take('am');
    return next.read(dayNumber);
  }, 'und');
  if (list === null || words.peek() === 'uhr') return null;
  if (words.take('des') && !words.take('monats')) return null;
  return { kind: 'days', days: list };
};

const months: PhraseReader = (words) => {
  if (!words.take('im')) return null;
  const list = words.list((next) => {
    next.take('im');
    return next.read(month);
  }, 'und');
  return list === null ? null : { kind: 'months', months: list };
};

/** The closed grammar of German. Umlauts may be written out (`taeglich`). */
export const GERMAN: Grammar = {
  phrases: [every, weekdays, times, between, date, days, months],
  spelling: (word) => word.replaceAll('ae', 'ä').replaceAll('oe', 'ö').replaceAll('ue', 'ü'),
  reasons: {
    notUnderstood: 'nicht verstanden',
    noWords: 'es steht nichts da',
    hourOnly: 'geht nur mit „jede Stunde“ zusammen',
    clash: 'passt nicht zum Rest',
    unevenTimes: 'ein Ausdruck hat in jeder Stunde dieselben Minuten; für jede Uhrzeit ist einer nötig',
    unevenSteps: (step, whole, unit) =>
      `${step} teilt die ${whole} ${PLURALS[unit]} nicht, die Abstände wären ungleich`,
    tooManyDays: 'die Tage beginnen mit jedem Monat von vorn; höchstens 15',
  },
};
