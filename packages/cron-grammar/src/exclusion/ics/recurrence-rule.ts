import { invalid } from './content-lines.js';

/** One entry of BYDAY: `MO`, `2MO`, `-1FR`. Weekday 0 is Sunday; `nth` 0 means every one. */
export interface RuleWeekday {
  readonly nth: number;
  readonly weekday: number;
}

export type Frequency = (typeof FREQUENCIES)[number];

/** An RRULE taken apart; empty lists stand for parts that are left out. */
export interface RecurrenceRule {
  readonly frequency: Frequency;
  readonly interval: number;
  readonly count: number;
  /** The text of UNTIL, or null. */
  readonly until: string | null;
  readonly bySecond: readonly number[];
  readonly byMinute: readonly number[];
  readonly byHour: readonly number[];
  readonly byDay: readonly RuleWeekday[];
  readonly byMonthDay: readonly number[];
  readonly byYearDay: readonly number[];
  readonly byWeek: readonly number[];
  readonly byMonth: readonly number[];
  readonly bySetPosition: readonly number[];
  readonly weekStart: number;
}

const FREQUENCIES = ['SECONDLY', 'MINUTELY', 'HOURLY', 'DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY'] as const;
const PARTS = new Set(
  'FREQ INTERVAL COUNT UNTIL BYSECOND BYMINUTE BYHOUR BYDAY BYMONTHDAY BYYEARDAY BYWEEKNO BYMONTH BYSETPOS WKST'.split(
    ' ',
  ),
);
const WEEKDAYS = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA'];

/** Reads the value of an RRULE. */
export function readRule(text: string): RecurrenceRule {
  const parts = new Map<string, string>();
  for (const part of text.trim().toUpperCase().split(';')) {
    if (part === '') continue;
    const equals = part.indexOf('=');
    if (equals < 1) throw invalid(text, 'has an RRULE that cannot be read');
    const name = part.slice(0, equals);
    // An unknown part may change which days are meant (RSCALE does), so it is not ignored.
    if (!PARTS.has(name) && !name.startsWith('X-')) throw invalid(text, `has an RRULE with the unknown part ${name}`);
    parts.set(name, part.slice(equals + 1));
  }
  const frequency = FREQUENCIES.find((name) => name === parts.get('FREQ'));
  if (frequency === undefined) throw invalid(text, 'has an RRULE without a known FREQ');
  const list = (name: string, least: number, most: number): readonly number[] =>
    (parts.get(name)?.split(',') ?? []).map((value) => readNumber(text, value, least, most));
  const weekStart = WEEKDAYS.indexOf(parts.get('WKST') ?? 'MO');
  if (weekStart < 0) throw invalid(text, 'has an RRULE whose WKST is no weekday');
  return {
    frequency,
    interval: readNumber(text, parts.get('INTERVAL') ?? '1', 1, 1_000_000),
    count: parts.has('COUNT') ? readNumber(text, parts.get('COUNT')!, 1, 1e9) : Number.POSITIVE_INFINITY,
    until: parts.get('UNTIL') ?? null,
    bySecond: list('BYSECOND', 0, 60),
    byMinute: list('BYMINUTE', 0, 59),
    byHour: list('BYHOUR', 0, 23),
    byDay: (parts.get('BYDAY')?.split(',') ?? []).map((value) => readWeekday(text, value)),
    byMonthDay: list('BYMONTHDAY', -31, 31),
    byYearDay: list('BYYEARDAY', -366, 366),
    byWeek: list('BYWEEKNO', -53, 53),
    byMonth: list('BYMONTH', 1, 12),
    bySetPosition: list('BYSETPOS', -366, 366),
    weekStart,
  };
}

function readNumber(text: string, value: string, least: number, most: number): number {
  const number = /^[+-]?[0-9]{1,10}$/.test(value) ? Number(value) : Number.NaN;
  if (number >= least && number <= most && !(number === 0 && least < 0)) return number;
  throw invalid(text, `has an RRULE with ${JSON.stringify(value)} where a number from ${least} to ${most} is allowed`);
}

function readWeekday(text: string, value: string): RuleWeekday {
  const parts = /^([+-]?[0-9]{1,2})?([A-Z]{2})$/.exec(value);
  const weekday = parts === null ? -1 : WEEKDAYS.indexOf(parts[2]!);
  if (weekday < 0) throw invalid(text, `has an RRULE whose BYDAY has ${JSON.stringify(value)}`);
  return { nth: Number(parts![1] ?? 0), weekday };
}
