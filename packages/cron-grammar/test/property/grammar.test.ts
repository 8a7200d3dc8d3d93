import { type Random, seededRandom } from '@horae/clock-store';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  countOccurrences,
  cronEquals,
  firstCollision,
  formatCron,
  occurrences,
  overlap,
  parseCron,
  tryParseCron,
} from '../../src/index.js';
import { randomPosix, randomQuartz } from './random-expression.js';

const long = Boolean(process.env.HORAE_LONG);
const times = long ? 200_000 : 4_000;
const DAY = 86_400_000;
const tick = { at: 0, year: 2024, month: 6, day: 15, weekday: 6, hour: 12, minute: 30, second: 30 };

const NUMBER = '[0-9]+';
const ELEMENT = `${NUMBER}(?:-${NUMBER})?`;
const FIELD = `(?:\\*|${ELEMENT}(?:,${ELEMENT})*)`;
const GRAMMAR = new RegExp(`^[ \\t]*${FIELD}(?:[ \\t]+${FIELD}){4}[ \\t]*$`);
const RANGES = [
  [0, 59],
  [0, 23],
  [1, 31],
  [1, 12],
  [0, 6],
] as const;

/** The grammar as a regular expression and the ranges as a loop: slow, and independent of the parser. */
function allowed(text: string): boolean {
  if (!GRAMMAR.test(text)) return false;
  const fields = text.split(/[ \t]+/).filter((field) => field !== '');
  return fields.every((field, index) => {
    const [min, max] = RANGES[index]!;
    return (
      field === '*' ||
      field.split(',').every((element) => {
        const [from, to = from] = element.split('-').map(Number) as [number, number?];
        return from >= min && to <= max && from <= to;
      })
    );
  });
}

describe('the grammar', () => {
  const pieces = [
    '*',
    ',',
    '-',
    '/',
    ' ',
    ' ',
    '\t',
    '0',
    '1',
    '5',
    '7',
    '12',
    '23',
    '31',
    '59',
    '60',
    'mon',
    '?',
    'L',
    '@',
    '+',
    '\n',
    '00',
  ];
  const soup = fc.array(fc.constantFrom(...pieces), { maxLength: 24 }).map((parts) => parts.join(''));
  const field = fc.array(fc.constantFrom('0', '1', '6', '7', '12', '31', '59', '60', '-', '-', ',', '*'), {
    minLength: 1,
    maxLength: 5,
  });
  const shaped = fc
    .array(field, { minLength: 5, maxLength: 5 })
    .map((fields) => fields.map((parts) => parts.join('')).join(' '));

  test.each([
    { story: 'any text', texts: fc.string({ maxLength: 40 }) },
    { story: 'soup of cron pieces', texts: soup },
    { story: 'five fields of soup', texts: shaped },
  ])('accepts exactly what a regular expression of it accepts: $story', ({ texts }) => {
    fc.assert(
      fc.property(texts, (text) => {
        const result = tryParseCron(text);
        expect(result.ok).toBe(allowed(text));
        if (result.ok) return;
        const { column, length, reason, suggestion, field: name } = result.error.details;
        expect(reason).not.toBe('is not in the grammar');
        expect(column).toBeGreaterThanOrEqual(1);
        expect(column + length - 1).toBeLessThanOrEqual(text.length);
        expect(result.error.message).toBe(`Invalid cron expression "${text}": ${name} field ${reason}`);
        if (suggestion !== undefined) expect(allowed(suggestion)).toBe(true);
      }),
      { numRuns: times, seed: 7 },
    );
  });

  test('the canonical text of any value parses to an equal value, in both dialects', () => {
    const random = seededRandom('round trip');
    for (let i = 0; i < times; i++) {
      const posix = parseCron(randomPosix(random, tick).text);
      expect(cronEquals(parseCron(formatCron(posix)), posix), posix.text).toBe(true);
      const quartz = parseCron(randomQuartz(random, tick).text, { dialect: 'quartz' });
      expect(cronEquals(parseCron(formatCron(quartz), { dialect: 'quartz' }), quartz), quartz.text).toBe(true);
    }
  });
});

/** The days of a Quartz rule by walking the month with `Date`. */
function ruleDays(rule: string, year: number, month: number): number[] {
  const length = new Date(Date.UTC(year, month, 0)).getUTCDate();
  const weekday = (day: number): number => new Date(Date.UTC(year, month - 1, day)).getUTCDay() + 1;
  const all = Array.from({ length }, (_, index) => index + 1);
  const isWorkday = (day: number): boolean => weekday(day) !== 1 && weekday(day) !== 7;
  const nearest = (day: number): number[] => {
    if (day < 1 || day > length) return [];
    const near = all.filter(isWorkday).sort((a, b) => Math.abs(a - day) - Math.abs(b - day));
    return [near[0]!];
  };
  const nth = /^([1-7])#([1-5])$/.exec(rule);
  if (nth) return all.filter((day) => weekday(day) === Number(nth[1])).slice(Number(nth[2]) - 1, Number(nth[2]));
  const last = /^([1-7])L$/.exec(rule);
  if (last) return all.filter((day) => weekday(day) === Number(last[1])).slice(-1);
  const fromEnd = /^L(?:-(\d+))?(W?)$/.exec(rule)!;
  if (fromEnd) {
    const day = length - Number(fromEnd[1] ?? 0);
    return fromEnd[2] ? nearest(day) : day >= 1 ? [day] : [];
  }
  return nearest(Number(rule.slice(0, -1)));
}

test('the month rules of Quartz are those of a walk through the calendar, from 1990 to 2060', () => {
  const random = seededRandom('month rules');
  const rules = [
    ...Array.from({ length: 31 }, (_, index) => `${index + 1}W`),
    ...Array.from({ length: 31 }, (_, index) => (index === 0 ? 'L' : `L-${index}`)),
    'LW',
    'L-1W',
    'L-2W',
    'L-10W',
    ...Array.from({ length: 7 }, (_, index) => `${index + 1}L`),
    ...Array.from({ length: 35 }, (_, index) => `${(index % 7) + 1}#${Math.floor(index / 7) + 1}`),
  ];
  for (const rule of rules) {
    const byWeekday = /#|[1-7]L$/.test(rule);
    const e = parseCron(byWeekday ? `0 0 0 ? * ${rule}` : `0 0 0 ${rule} * ?`, { dialect: 'quartz' });
    for (let i = 0; i < (long ? 840 : 60); i++) {
      const [year, month] = [1990 + random.below(70), 1 + random.below(12)];
      const found = [
        ...occurrences(e, { from: Date.UTC(year, month - 1, 1), to: Date.UTC(year, month, 1), zone: 'UTC' }),
      ];
      expect(
        found.map((ms) => new Date(ms).getUTCDate()),
        `${rule} in ${year}-${month}`,
      ).toEqual(ruleDays(rule, year, month));
    }
  }
});

describe('the functions agree with one another', () => {
  const zones = [
    'UTC',
    'Europe/Berlin',
    'America/New_York',
    'Australia/Lord_Howe',
    'Pacific/Apia',
    'America/Sao_Paulo',
    'Africa/Casablanca',
  ];
  const pick = (random: Random): { zone: string; from: number; to: number } => {
    const from =
      Date.UTC(2005 + random.below(25), random.below(12), 1 + random.below(28), random.below(24)) +
      random.below(3_600_000);
    return { zone: zones[random.below(zones.length)]!, from, to: from + random.below(40 * DAY) };
  };

  test('backward is forward reversed, and count is their length', () => {
    const random = seededRandom('agree');
    for (let i = 0; i < times / 20; i++) {
      const { zone, from, to } = pick(random);
      const e = parseCron(
        `${random.below(60)} ${randomPosix(random, tick)
          .text.split(/[ \t]+/)
          .slice(1)
          .join(' ')}`,
      );
      const forward = [...occurrences(e, { from, to, zone })];
      const backward = [...occurrences(e, { from: to, to: from, zone, direction: 'backward' })];
      expect(backward.toReversed(), e.text).toEqual(forward);
      expect(countOccurrences(e, from, to, zone), e.text).toBe(forward.length);
    }
  });

  test('overlap is the intersection of both walks', () => {
    const random = seededRandom('overlap');
    for (let i = 0; i < times / 40; i++) {
      const { zone, from, to } = pick(random);
      const [a, b] = [randomPosix(random, tick), randomPosix(random, tick)].map(({ text }) => parseCron(text)) as [
        never,
        never,
      ];
      const inB = new Set(occurrences(b, { from, to, zone }));
      const both = [...occurrences(a, { from, to, zone })].filter((ms) => inB.has(ms));
      expect(overlap(a, b, { from, to, zone })).toEqual({ count: both.length, first: both[0] ?? null });
      const collision = firstCollision(a, b, from - 1, zone);
      if (both.length > 0) expect(collision).toBe(both[0]);
      else expect(collision === null || collision >= to).toBe(true);
    }
  });

  test('long searches agree with a walk over the days of UTC', () => {
    const random = seededRandom('long searches');
    for (let i = 0; i < times / 10; i++) {
      const [day, month] = [1 + random.below(31), 1 + random.below(12)];
      const e = parseCron(`0 12 ${day} ${month} *`);
      const from = Date.UTC(1890 + random.below(250), random.below(12), 1 + random.below(28));
      let wanted: number | undefined;
      for (let at = from + DAY / 2; at < from + 9 * 366 * DAY && wanted === undefined; at += DAY) {
        const date = new Date(at);
        if (date.getUTCDate() === day && date.getUTCMonth() + 1 === month) wanted = at;
      }
      expect(
        [...occurrences(e, { from, limit: 1, zone: 'UTC' })][0],
        `${e.text} from ${new Date(from).toISOString()}`,
      ).toBe(wanted);
    }
  });
});
