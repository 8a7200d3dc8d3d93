import { describe, expect, test } from 'vitest';
import {
  type CronExpression,
  cronEquals,
  FieldParseError,
  formatCron,
  formatCronError,
  InvalidCronExpressionError,
  matches,
  neverFires,
  parseCron,
  tryParseCron,
} from '../../src/index.js';

function refusal(text: unknown): InvalidCronExpressionError {
  const result = tryParseCron(text as string);
  if (result.ok) throw new Error(`${JSON.stringify(text)} was accepted`);
  return result.error;
}

const firesOn = (e: CronExpression, date: string): boolean => matches(e, Date.parse(`${date}Z`), 'UTC');

describe('what the grammar accepts', () => {
  test.each([
    { story: 'daily at midnight', text: '0 0 * * *' },
    { story: 'a weekday range', text: '15 3 * * 1-5' },
    { story: 'a list', text: '0,30 * * * *' },
    { story: 'a date', text: '0 12 14 2 *' },
    { story: 'leading and trailing blanks', text: ' \t0 0 * * * \t ' },
    { story: 'several spaces and tabs between fields', text: '0\t \t0  *   *\t*' },
    { story: 'leading zeros as digits', text: '000 007 01 012 06' },
    { story: 'duplicates', text: '5,5,5 * * * *' },
    { story: 'unsorted lists', text: '45,0,30,15 * * * *' },
    { story: 'overlapping ranges', text: '0-30,20-40 * * * *' },
    { story: 'a range of one', text: '5-5 * * * *' },
    { story: 'the lowest values', text: '0 0 1 1 0' },
    { story: 'the highest values', text: '59 23 31 12 6' },
    { story: 'a date that never comes', text: '0 0 30 2 *' },
  ])('$story: $text', ({ text }) => {
    expect(parseCron(text).text).toBe(text);
  });

  test('the value is frozen', () => {
    expect(Object.isFrozen(parseCron('0 0 * * *'))).toBe(true);
  });
});

describe('the order of checks: the first failure is reported', () => {
  test.each([
    { story: 'empty comes first', text: '   ', field: 'expression', reason: /^is empty/ },
    { story: 'a macro before the number of fields', text: '@daily extra', field: 'expression', reason: /macro/ },
    {
      story: 'the number of fields before their content',
      text: '99 99 99',
      field: 'expression',
      reason: /5 fields.*got 3/,
    },
    { story: 'fields from left to right', text: '0 24 0 13 7', field: 'hour', reason: /24 is out of range 0-23/ },
    { story: 'elements from left to right', text: '1,99,mon * * * *', field: 'minute', reason: /99/ },
    { story: 'ends of a range from left to right', text: '70-80 * * * *', field: 'minute', reason: /70/ },
    { story: 'ends before their order', text: '0 25-2 * * *', field: 'hour', reason: /25 is out of range/ },
  ])('$story', ({ text, field, reason }) => {
    const { details } = refusal(text);
    expect(details.field).toBe(field);
    expect(details.reason).toMatch(reason);
  });
});

describe('the error', () => {
  test('says expression, field and reason in its message, and place and suggestion in its details', () => {
    const error = refusal('0 22-2 * * *');
    expect(error.name).toBe('InvalidCronExpressionError');
    expect(error.code).toBe('cron-invalid-expression');
    expect(error.message).toBe(`Invalid cron expression "0 22-2 * * *": hour field ${error.details.reason}`);
    expect(error.details).toMatchObject({ column: 3, length: 4, suggestion: '0 0-2,22-23 * * *' });
    expect(Object.isFrozen(error.details)).toBe(true);
  });

  test('has the failing field as its cause', () => {
    const cause = refusal('0 0 * * 1,mon').cause as FieldParseError;
    expect(cause).toBeInstanceOf(FieldParseError);
    expect(cause.details).toEqual({ fieldName: 'weekday', fieldValue: '1,mon' });
  });

  test.each([
    { text: '*/15 * * * *', suggestion: '0,15,30,45 * * * *' },
    { text: '0 0 * * mon', suggestion: '0 0 * * 1' },
    { text: '0 0 * * 7', suggestion: '0 0 * * 0' },
    { text: '0 22-2 * * *', suggestion: '0 0-2,22-23 * * *' },
    { text: '@daily', suggestion: '0 0 * * *' },
    { text: '*/15 9-17 * jan mon-fri', suggestion: '0,15,30,45 9-17 * 1 1-5' },
  ])('suggests $suggestion for $text', ({ text, suggestion }) => {
    expect(refusal(text).details.suggestion).toBe(suggestion);
  });

  test.each(['*/1e3 * * * *', '*/1e1 * * * *', '*/0x5 * * * *', '*/+5 * * * *'])(
    'suggests nothing for %s: a step in another notation than digits has no one meaning',
    (text) => {
      expect(refusal(text).details.suggestion).toBe(undefined);
    },
  );

  test('prints the text with carets under the fault and the suggestion', () => {
    const error = refusal('0 9 * * mon-fri');
    expect(formatCronError(error).split('\n')).toEqual([
      '0 9 * * mon-fri',
      `        ^^^ weekday field ${error.details.reason}`,
      'Did you mean: 0 9 * * 1-5',
    ]);
    expect(error.caret()).toBe(formatCronError(error));
  });

  test('keeps the caret in place in a text with control characters, and shortens a long one', () => {
    expect(formatCronError(refusal('0 0 * * *\n')).split('\n')[0]).toBe('0 0 * * *·');
    const [line, carets] = formatCronError(refusal(`${'1,'.repeat(5_000)}x * * * *`)).split('\n') as [string, string];
    expect(line.length).toBeLessThan(140);
    expect(line[carets.indexOf('^')]).toBe('x');
  });

  test.each([{ text: null }, { text: undefined }, { text: 5 }, { text: {} }, { text: ['0 0 * * *'] }])(
    'is the same class for $text, which is no string',
    ({ text }) => {
      expect(refusal(text).details).toMatchObject({ field: 'expression', column: 1 });
      expect(() => parseCron(text as never)).toThrow(InvalidCronExpressionError);
    },
  );

  test('is a CronArgumentError for an unknown dialect', () => {
    expect(() => parseCron('0 0 * * *', { dialect: 'spring' as never })).toThrow(/'vixie' or 'quartz'/);
  });
});

describe('day and weekday', () => {
  // 2024-01-01 is a Monday, 2024-01-02 a Tuesday, 2024-01-15 a Monday, 2024-02-15 a Thursday.
  test.each([
    { story: 'both *: every day', text: '0 0 * * *', on: ['2024-01-01T00:00', '2024-01-02T00:00'], off: [] },
    {
      story: 'weekday only',
      text: '0 0 * * 1',
      on: ['2024-01-01T00:00'],
      off: ['2024-01-02T00:00', '2024-02-15T00:00'],
    },
    { story: 'day only', text: '0 0 15 * *', on: ['2024-01-15T00:00', '2024-02-15T00:00'], off: ['2024-01-01T00:00'] },
    {
      story: 'both restricted: either is enough',
      text: '0 0 2,15 * 1',
      on: ['2024-01-01T00:00', '2024-01-02T00:00', '2024-02-15T00:00'],
      off: ['2024-01-03T00:00'],
    },
    {
      story: 'the month always applies',
      text: '0 0 15 2 1',
      on: ['2024-02-15T00:00', '2024-02-05T00:00'],
      off: ['2024-01-15T00:00', '2024-01-01T00:00'],
    },
    { story: '1-31 counts as restricted', text: '0 0 1-31 * 1', on: ['2024-01-02T00:00', '2024-01-03T00:00'], off: [] },
    { story: '0-6 counts as restricted', text: '0 0 15 * 0-6', on: ['2024-01-02T00:00', '2024-01-03T00:00'], off: [] },
  ])('$story ($text)', ({ text, on, off }) => {
    const e = parseCron(text);
    for (const date of on) expect(firesOn(e, date), date).toBe(true);
    for (const date of off) expect(firesOn(e, date), date).toBe(false);
  });

  test('restricted is judged by the text', () => {
    expect(parseCron('0 0 1-31 * *').dayRestricted).toBe(true);
    expect(parseCron('0 0 * * 0-6').weekdayRestricted).toBe(true);
    expect(parseCron('0 0 * * *')).toMatchObject({ dayRestricted: false, weekdayRestricted: false });
  });
});

describe('canonical text and equality', () => {
  test.each([
    { text: ' 00  09\t* * 5,1-3,4 ', canonical: '0 9 * * 1-5' },
    { text: '45,0,30,15 * * * *', canonical: '0,15,30,45 * * * *' },
    { text: '0-59 0-23 * 1-12 *', canonical: '* * * * *' },
    { text: '0 0 1-31 * *', canonical: '0 0 1-31 * *' },
    { text: '0 0 * * 0-6', canonical: '0 0 * * 0-6' },
    { text: '0 0 31,1 * *', canonical: '0 0 1,31 * *' },
    { text: '29,30,31 * * * *', canonical: '29-31 * * * *' },
  ])('$text is $canonical', ({ text, canonical }) => {
    expect(formatCron(parseCron(text))).toBe(canonical);
    expect(cronEquals(parseCron(text), parseCron(canonical))).toBe(true);
  });

  test('different sets, and the same sets with other restrictions, are not equal', () => {
    expect(cronEquals(parseCron('0 0 * * *'), parseCron('1 0 * * *'))).toBe(false);
    expect(cronEquals(parseCron('0 0 1-31 * *'), parseCron('0 0 * * *'))).toBe(false);
    // Quartz is judged per second.
    expect(cronEquals(parseCron('0 0 * * *'), parseCron('0 0 0 * * ?', { dialect: 'quartz' }))).toBe(false);
  });
});

describe('never', () => {
  test.each([
    { text: '0 0 30 2 *', never: true },
    { text: '0 0 31 2,4,6,9,11 *', never: true },
    { text: '0 0 30,31 2 *', never: true },
    { text: '0 0 29 2 *', never: false },
    { text: '0 0 31 4-5 *', never: false },
    { text: '0 0 30 2 0', never: false },
    { text: '0 0 31 12 *', never: false },
  ])('$text never fires: $never', ({ text, never }) => {
    expect(neverFires(parseCron(text))).toBe(never);
  });
});
