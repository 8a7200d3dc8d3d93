import { describe, expect, test } from 'vitest';
import {
  cronEquals,
  formatCron,
  formatCronError,
  InvalidCronExpressionError,
  matches,
  neverFires,
  nextOccurrence,
  occurrences,
  parseCron,
  tryNextOccurrence,
  tryParseCron,
} from '../../src/index.js';

const quartz = (text: string) => parseCron(text, { dialect: 'quartz' });
const days = (text: string, year: number, limit: number): string[] =>
  [...occurrences(quartz(text), { from: Date.UTC(year, 0, 1), limit, zone: 'UTC' })].map((ms) =>
    new Date(ms).toISOString().slice(0, 10),
  );

describe('what the dialect means', () => {
  test.each([
    { story: 'L is the last day', text: '0 0 0 L * ?', year: 2024, days: ['2024-01-31', '2024-02-29', '2024-03-31'] },
    {
      story: 'L-3 counts back from the end',
      text: '0 0 0 L-3 * ?',
      year: 2023,
      days: ['2023-01-28', '2023-02-25', '2023-03-28'],
    },
    {
      story: 'LW is the last working day',
      text: '0 0 0 LW * ?',
      year: 2024,
      days: ['2024-01-31', '2024-02-29', '2024-03-29'],
    },
    {
      story: 'L-1W is the working day nearest the last but one',
      text: '0 0 0 L-1W * ?',
      year: 2024,
      days: ['2024-01-30', '2024-02-28', '2024-03-29'],
    },
    {
      story: '15W is the working day nearest the 15th',
      text: '0 0 0 15W * ?',
      year: 2024,
      days: ['2024-01-15', '2024-02-15', '2024-03-15', '2024-04-15', '2024-05-15', '2024-06-14'],
    },
    {
      story: '1W does not leave its month backwards',
      text: '0 0 0 1W 6,9 ?',
      year: 2024,
      days: ['2024-06-03', '2024-09-02'],
    },
    {
      story: '31W does not leave its month forwards and skips short months',
      text: '0 0 0 31W * ?',
      year: 2024,
      days: ['2024-01-31', '2024-03-29', '2024-05-31', '2024-07-31', '2024-08-30'],
    },
    {
      story: 'day 31 skips short months',
      text: '0 0 0 31 * ?',
      year: 2023,
      days: ['2023-01-31', '2023-03-31', '2023-05-31'],
    },
    {
      story: '6#3 is the third Friday',
      text: '0 0 0 ? * 6#3',
      year: 2024,
      days: ['2024-01-19', '2024-02-16', '2024-03-15'],
    },
    {
      story: 'FRI#5 comes only where there is a fifth',
      text: '0 0 0 ? * FRI#5',
      year: 2024,
      days: ['2024-03-29', '2024-05-31', '2024-08-30'],
    },
    {
      story: '6L is the last Friday',
      text: '0 0 0 ? * 6L',
      year: 2024,
      days: ['2024-01-26', '2024-02-23', '2024-03-29'],
    },
    { story: 'MONL takes a name', text: '0 0 0 ? * MONL', year: 2024, days: ['2024-01-29', '2024-02-26'] },
    { story: 'L alone as weekday is Saturday', text: '0 0 0 ? * L', year: 2024, days: ['2024-01-06', '2024-01-13'] },
    { story: 'Sunday is 1', text: '0 0 0 ? * 1', year: 2024, days: ['2024-01-07', '2024-01-14'] },
    { story: 'names in any case', text: '0 0 0 ? jAn-mAr sAt', year: 2024, days: ['2024-01-06', '2024-01-13'] },
    {
      story: 'ranges of weekdays wrap around',
      text: '0 0 0 ? * FRI-MON',
      year: 2024,
      days: ['2024-01-01', '2024-01-05', '2024-01-06', '2024-01-07', '2024-01-08', '2024-01-12'],
    },
    {
      story: 'ranges of months wrap around',
      text: '0 0 0 1 NOV-FEB ?',
      year: 2024,
      days: ['2024-01-01', '2024-02-01', '2024-11-01', '2024-12-01', '2025-01-01'],
    },
    {
      story: 'ranges of days wrap around',
      text: '0 0 0 31-2 * ?',
      year: 2024,
      days: ['2024-01-01', '2024-01-02', '2024-01-31', '2024-02-01', '2024-02-02', '2024-03-01'],
    },
    {
      story: 'years restrict',
      text: '0 0 0 29 2 ? 2024-2032/4',
      year: 2020,
      days: ['2024-02-29', '2028-02-29', '2032-02-29'],
    },
    {
      story: 'lists mix plain days and rules',
      text: '0 0 0 1,15W,L 6 ?',
      year: 2024,
      days: ['2024-06-01', '2024-06-14', '2024-06-30'],
    },
  ])('$story ($text)', ({ text, year, days: wanted }) => {
    expect(days(text, year, wanted.length)).toEqual(wanted);
  });

  test.each([
    { story: 'seconds come first', text: '15,45 0 0 * * ?', starts: ['00:00:15', '00:00:45'] },
    { story: 'a step of * starts at 0', text: '*/20 0 0 * * ?', starts: ['00:00:00', '00:00:20', '00:00:40'] },
    { story: 'a step without a base starts at 0', text: '/20 0 0 * * ?', starts: ['00:00:00', '00:00:20', '00:00:40'] },
    {
      story: 'a step of a value runs to the end',
      text: '0 5/25 0 * * ?',
      starts: ['00:05:00', '00:30:00', '00:55:00'],
    },
    {
      story: 'a step of a range stays in it',
      text: '0 10-30/10 0 * * ?',
      starts: ['00:10:00', '00:20:00', '00:30:00'],
    },
    { story: 'hours wrap around', text: '0 0 22-1 * * ?', starts: ['00:00:00', '01:00:00', '22:00:00', '23:00:00'] },
    { story: 'a step goes on over the wrap', text: '0 0 22-4/3 * * ?', starts: ['01:00:00', '04:00:00', '22:00:00'] },
  ])('$story ($text)', ({ text, starts }) => {
    const found = [...occurrences(quartz(text), { from: 0, to: 86_400_000, zone: 'UTC' })];
    expect(found.map((ms) => new Date(ms).toISOString().slice(11, 19))).toEqual(starts);
  });

  test('matches judges the second that contains the instant', () => {
    const e = quartz('30 0 12 * * ?');
    expect(matches(e, Date.UTC(2024, 0, 1, 12, 0, 30, 999), 'UTC')).toBe(true);
    expect(matches(e, Date.UTC(2024, 0, 1, 12, 0, 31), 'UTC')).toBe(false);
    expect(matches(e, Date.UTC(2024, 0, 1, 12, 0, 29, 999), 'UTC')).toBe(false);
  });

  test('next is strictly after, to the second', () => {
    const e = quartz('* * * * * ?');
    expect(nextOccurrence(e, 1_000, 'UTC')).toBe(2_000);
    expect(nextOccurrence(e, 1_999, 'UTC')).toBe(2_000);
  });

  test('seconds fire in both passes of a repeated hour, and not in a gap', () => {
    const e = quartz('30 30 2 * * ?');
    const autumn = occurrences(e, { from: Date.UTC(2024, 9, 27), to: Date.UTC(2024, 9, 28), zone: 'Europe/Berlin' });
    expect([...autumn]).toEqual([Date.UTC(2024, 9, 27, 0, 30, 30), Date.UTC(2024, 9, 27, 1, 30, 30)]);
    const spring = occurrences(e, { from: Date.UTC(2024, 2, 31), to: Date.UTC(2024, 3, 1), zone: 'Europe/Berlin' });
    expect([...spring]).toEqual([]);
  });

  test.each([
    { text: '0 0 0 30 2 ?', never: true },
    { text: '0 0 0 31W 4,6 ?', never: true },
    { text: '0 0 0 29 2 ? 2023', never: true },
    { text: '0 0 0 29 2 ? 2024', never: false },
    { text: '0 0 0 L-30 2 ?', never: true },
    { text: '0 0 0 ? 2 MON#5', never: false },
  ])('$text never fires: $never', ({ text, never }) => {
    expect(neverFires(quartz(text))).toBe(never);
  });

  test('a fifth Monday of February is found decades ahead', () => {
    expect(days('0 0 0 ? 2 MON#5', 2025, 2)).toEqual(['2044-02-29', '2072-02-29']);
  });

  test('after the last year there is nothing', () => {
    expect(tryNextOccurrence(quartz('0 0 0 1 1 ? 2024'), Date.UTC(2024, 0, 1), 'Europe/Berlin')).toBe(null);
  });
});

describe('canonical text', () => {
  test.each([
    { text: '0 0/15 8-10 ? * mon-fri', canonical: '0 0,15,30,45 8-10 ? * 2-6' },
    { text: '0 0 0 ? * *', canonical: '0 0 0 * * ?' },
    { text: '0 0 0 1-31 * ?', canonical: '0 0 0 * * ?' },
    { text: '* * * * * ? *', canonical: '* * * * * ?' },
    { text: '0 0 0 lw,l-3,15w,1 * ?', canonical: '0 0 0 1,15W,L-3,LW * ?' },
    { text: '0 0 0 ? * fril,mon#1,sun', canonical: '0 0 0 ? * 1,2#1,6L' },
    { text: '0 0 0 1 1 ? 2030,2024-2026', canonical: '0 0 0 1 1 ? 2024-2026,2030' },
    { text: '0 0 0 1 1 ? 1970-2099', canonical: '0 0 0 1 1 ? 1970-2099' },
  ])('$text is $canonical', ({ text, canonical }) => {
    expect(formatCron(quartz(text))).toBe(canonical);
    expect(cronEquals(quartz(canonical), quartz(text))).toBe(true);
  });
});

describe('what the dialect refuses', () => {
  test.each([
    { story: 'empty text', text: '', field: 'expression', column: 1 },
    { story: 'five fields', text: '0 0 * * *', field: 'expression', column: 10, suggestion: '0 0 0 * * ?' },
    { story: 'eight fields', text: '0 0 0 * * ? 2024 x', field: 'expression', column: 18 },
    { story: 'a macro', text: '@daily', field: 'expression', column: 1, suggestion: '0 0 0 * * ?' },
    {
      story: 'a newline between fields',
      text: '0 0 0 *\n* ?',
      field: 'expression',
      column: 8,
      suggestion: '0 0 0 * * ?',
    },
    { story: 'trailing junk', text: '0 0 0 ? * MON-FRI_X', field: 'weekday', column: 15 },
    {
      story: 'neither day nor weekday open',
      text: '0 0 12 * * *',
      field: 'weekday',
      column: 12,
      suggestion: '0 0 12 * * ?',
    },
    { story: 'both open', text: '0 0 12 ? * ?', field: 'weekday', column: 12, suggestion: '0 0 12 * * ?' },
    { story: 'both restricted', text: '0 0 12 1 * MON', field: 'weekday', column: 12 },
    { story: '? in another field', text: '? 0 0 * * ?', field: 'second', column: 1 },
    { story: 'second 60', text: '60 0 0 * * ?', field: 'second', column: 1 },
    { story: 'weekday 0', text: '0 0 0 ? * 0', field: 'weekday', column: 11, suggestion: '0 0 0 ? * 1' },
    {
      story: 'weekdays counted from 0',
      text: '0 0 0 ? * 0-4',
      field: 'weekday',
      column: 11,
      suggestion: '0 0 0 ? * 1-5',
    },
    { story: 'weekday 8', text: '0 0 0 ? * 8', field: 'weekday', column: 11 },
    { story: 'an unknown name', text: '0 0 0 ? * MONDAY', field: 'weekday', column: 11 },
    { story: 'a weekday in the month field', text: '0 0 0 1 MON ?', field: 'month', column: 9 },
    { story: 'step 0', text: '0 */0 * * * ?', field: 'minute', column: 5 },
    { story: 'a step beyond the field', text: '0 */60 * * * ?', field: 'minute', column: 5 },
    { story: 'a step without number', text: '0 */ * * * ?', field: 'minute', column: 5 },
    { story: 'two steps', text: '0 1/2/3 * * * ?', field: 'minute', column: 5 },
    { story: 'nth 0', text: '0 0 0 ? * 2#0', field: 'weekday', column: 13 },
    { story: 'nth 6', text: '0 0 0 ? * 2#6', field: 'weekday', column: 13 },
    { story: 'W on a range', text: '0 0 0 1-5W * ?', field: 'day', column: 9 },
    { story: '32W', text: '0 0 0 32W * ?', field: 'day', column: 7 },
    { story: 'L-31', text: '0 0 0 L-31 * ?', field: 'day', column: 9 },
    { story: 'L in the hour field', text: '0 0 L * * ?', field: 'hour', column: 5 },
    { story: 'an open range', text: '0 0 1- * * ?', field: 'hour', column: 7 },
    { story: 'an empty list element', text: '0 0 1,,2 * * ?', field: 'hour', column: 7 },
    { story: 'a year before 1970', text: '0 0 0 * * ? 1969', field: 'year', column: 13 },
    { story: 'a year after 2099', text: '0 0 0 * * ? 2100', field: 'year', column: 13 },
    { story: 'years that run backwards', text: '0 0 0 * * ? 2030-2024', field: 'year', column: 13 },
    { story: 'a sign', text: '0 0 +1 * * ?', field: 'hour', column: 5 },
    { story: 'hexadecimal', text: '0 0 0x1 * * ?', field: 'hour', column: 5 },
  ])('$story ($text)', ({ text, field, column, suggestion }) => {
    const result = tryParseCron(text, { dialect: 'quartz' });
    if (result.ok) expect.fail(`accepted as ${formatCron(result.value)}`);
    expect(result.error).toBeInstanceOf(InvalidCronExpressionError);
    expect(result.error.details).toMatchObject({ expression: text, field, column });
    expect(result.error.details.suggestion).toBe(suggestion);
    expect(formatCronError(result.error)).toContain('^');
    if (suggestion !== undefined) expect(() => quartz(suggestion)).not.toThrow();
  });
});
