import { describe, expect, test } from 'vitest';
import {
  cron,
  cronEquals,
  describeCron,
  explainMatch,
  formatCron,
  InvalidCronExpressionError,
  lintCron,
  neverFires,
  nextOccurrence,
  parseCron,
  tryParseCron,
} from '../../src/index.js';

const vixie = (text: string) => parseCron(text, { dialect: 'vixie' });

describe('crontab accepts', () => {
  // Written by hand from crontab(5); the canonical text is what a reader of the manual would list.
  test.each([
    ['* * * * *', '* * * * *'],
    ['*/5 * * * *', '0,5,10,15,20,25,30,35,40,45,50,55 * * * *'],
    ['*/15 9-17 * * mon-fri', '0,15,30,45 9-17 * * 1-5'],
    ['1-30/7 * * * *', '1,8,15,22,29 * * * *'],
    ['5/15 * * * *', '5,20,35,50 * * * *'],
    ['59/1 * * * *', '59 * * * *'],
    ['*/100 * * * *', '0 * * * *'],
    ['*/99999999999999999999 * * * *', '0 * * * *'],
    ['*/007 * * * *', '0,7,14,21,28,35,42,49,56 * * * *'],
    ['*/1 */1 */1 */1 */1', '* * * * *'],
    ['0 */6 * * *', '0 0,6,12,18 * * *'],
    ['0 8-18/2 * * *', '0 8,10,12,14,16,18 * * *'],
    ['0 20/2 * * *', '0 20,22 * * *'],
    ['0,30 0 * * *', '0,30 0 * * *'],
    ['0 0 */10 * *', '0 0 1,11,21,31 * *'],
    ['0 0 25/3 * *', '0 0 25,28,31 * *'],
    ['0 0 1-31 * *', '0 0 * * *'],
    ['0 0 1 */3 *', '0 0 1 1,4,7,10 *'],
    ['0 0 1 jan,JUL *', '0 0 1 1,7 *'],
    ['0 0 1 Mar-May *', '0 0 1 3-5 *'],
    ['0 0 1 nov/1 *', '0 0 1 11-12 *'],
    ['0 0 * * sun', '0 0 * * 0'],
    ['0 0 * * 7', '0 0 * * 0'],
    ['0 0 * * 0,7', '0 0 * * 0'],
    ['0 0 * * 5-7', '0 0 * * 0,5-6'],
    ['0 0 * * fri-sun', '0 0 * * 0,5-6'],
    ['0 0 * * SUN-tue', '0 0 * * 0-2'],
    ['0 0 * * sun-sun', '0 0 * * *'],
    ['0 0 * * 0-7', '0 0 * * *'],
    ['0 0 * * 1/2', '0 0 * * 0-1,3,5'],
    ['0 0 * * mon/3', '0 0 * * 0-1,4'],
    ['0 0 * * 1-5/2', '0 0 * * 1,3,5'],
    ['0 0 * * mon,3,fri', '0 0 * * 1,3,5'],
    ['0 0 * * mon-3', '0 0 * * 1-3'],
    ['0 0 13 * fri', '0 0 13 * 5'],
    ['0 0 1-31 * 1', '0 0 1-31 * 1'],
    ['0 0 1,* * 1', '0 0 1-31 * 1'],
    ['0 0 *,1 * 1', '0 0 * * 1'],
    ['0 0 */2 * *', '0 0 1,3,5,7,9,11,13,15,17,19,21,23,25,27,29,31 * *'],
    ['0 0 */2 * 0-7', '0 0 1,3,5,7,9,11,13,15,17,19,21,23,25,27,29,31 * *'],
    ['0 0 */2 * 1', '0 0 */2 * 1'],
    ['0 0 1-7 * */7', '0 0 1-7 * */7'],
    ['0 0 2-8 * */7', '0 0 2-8 * */7'],
    ['0 8 */100,1-7 * 1', '0 8 */31,2-7 * 1'],
    ['0 0 13 * */5', '0 0 13 * */5'],
    ['0 0 13 * */5,2', '0 0 13 * */7,2,5'],
    ['*,5 1,* * * *', '* * * * *'],
    ['00 09 * * *', '0 9 * * *'],
    ['  0\t9  * * 1 ', '0 9 * * 1'],
    ['@yearly', '0 0 1 1 *'],
    ['@annually', '0 0 1 1 *'],
    ['@monthly', '0 0 1 * *'],
    ['@weekly', '0 0 * * 0'],
    ['@daily', '0 0 * * *'],
    ['@midnight', '0 0 * * *'],
    [' @hourly\t', '0 * * * *'],
  ])('%s as %s', (text, canonical) => {
    const value = vixie(text);
    expect(value.dialect).toBe('vixie');
    expect(value.text).toBe(text);
    expect(formatCron(value)).toBe(canonical);
    expect(cronEquals(vixie(canonical), value)).toBe(true);
  });
});

describe('crontab refuses', () => {
  test.each([
    ['', 'expression', 1, /empty/],
    [' \t', 'expression', 1, /empty/],
    ['@reboot', 'expression', 1, /names no time/],
    ['@Daily', 'expression', 1, /unknown macro/],
    ['@every 5m', 'expression', 1, /unknown macro/],
    ['@daily *', 'expression', 1, /alone/],
    ['* * * *', 'expression', 8, /exactly 5 fields/],
    ['* * * * * *', 'expression', 11, /exactly 5 fields/],
    ['60 * * * *', 'minute', 1, /out of range 0-59/],
    ['* 24 * * *', 'hour', 3, /out of range 0-23/],
    ['* * 0 * *', 'day', 5, /out of range 1-31/],
    ['* * * 13 *', 'month', 7, /out of range 1-12/],
    ['* * * * 8', 'weekday', 9, /out of range 0-7/],
    ['30-1 * * * *', 'minute', 1, /backwards/],
    ['* * * * 6-1', 'weekday', 9, /backwards/],
    ['* * * * sat-mon', 'weekday', 9, /backwards/],
    ['* * * dec-jan *', 'month', 7, /backwards/],
    ['*5 * * * *', 'minute', 1, /combine/],
    ['** * * * *', 'minute', 1, /combine/],
    ['5* * * * *', 'minute', 2, /combine/],
    ['*-5 * * * *', 'minute', 1, /combine/],
    ['1-5-7 * * * *', 'minute', 1, /chain/],
    ['*/5/5 * * * *', 'minute', 3, /two steps/],
    ['*/0 * * * *', 'minute', 3, /step of 1 or more/],
    ['*/00 * * * *', 'minute', 3, /step of 1 or more/],
    ['*/ * * * *', 'minute', 3, /step of 1 or more/],
    ['*/-5 * * * *', 'minute', 3, /step of 1 or more/],
    ['*/five * * * *', 'minute', 3, /step of 1 or more/],
    ['/5 * * * *', 'minute', 1, /before "\/"/],
    ['* * * * 5#3', 'weekday', 10, /Quartz token "#"/],
    ['* * ? * 1', 'day', 5, /Quartz token "\?"/],
    ['* * L * *', 'day', 5, /Quartz token "L"/],
    ['* * 15W * *', 'day', 5, /Quartz token "W"/],
    ['1.5 * * * *', 'minute', 1, /decimal digits/],
    ['0x5 * * * *', 'minute', 1, /decimal digits/],
    ['-5 * * * *', 'minute', 1, /sign/],
    ['+5 * * * *', 'minute', 1, /sign/],
    ['5- * * * *', 'minute', 3, /open range/],
    ['1,,2 * * * *', 'minute', 3, /empty list element/],
    [',1 * * * *', 'minute', 1, /empty list element/],
    ['1, * * * *', 'minute', 3, /empty list element/],
    ['mon * * * *', 'minute', 1, /cannot read "mon"/],
    ['* * * mon *', 'month', 7, /cannot read "mon"/],
    ['* * * * jan', 'weekday', 9, /cannot read "jan"/],
    ['* * * * monday', 'weekday', 9, /cannot read "monday"/],
    ['* * * * mo', 'weekday', 9, /cannot read "mo"/],
    ['* * * * \u017fun', 'weekday', 9, /must not contain/],
    ['* * * *\u00a0*', 'expression', 8, /no-break space/],
    ['* * * * 1\n', 'weekday', 10, /line feed/],
    ['* * * * H', 'weekday', 9, /cannot read "H"/],
  ])('%j: %s field, column %i', (text, field, column, reason) => {
    const result = tryParseCron(text, { dialect: 'vixie' });
    if (result.ok) expect.fail(`accepted as ${formatCron(result.value)}`);
    expect(result.error).toBeInstanceOf(InvalidCronExpressionError);
    expect(result.error.details.reason).toMatch(reason);
    expect({ field: result.error.details.field, column: result.error.details.column }).toEqual({ field, column });
    const { suggestion } = result.error.details;
    if (suggestion !== undefined) expect(() => vixie(suggestion)).not.toThrow();
  });
});

describe('day and weekday of a crontab', () => {
  const days = (text: string): number[] => {
    const e = vixie(text);
    const found: number[] = [];
    for (let at = Date.UTC(2024, 0, 1) - 1; ; ) {
      at = nextOccurrence(e, at, 'UTC');
      if (at >= Date.UTC(2024, 1, 1)) return found;
      found.push(new Date(at).getUTCDate());
    }
  };

  test.each([
    { story: 'without a star either is enough', text: '0 0 13 * fri', wanted: [5, 12, 13, 19, 26] },
    { story: 'a day that begins with a star means both', text: '0 0 */7 * mon', wanted: [1, 8, 15, 22, 29] },
    { story: 'a weekday that begins with a star means both', text: '0 0 1-7 * */7', wanted: [7] },
    { story: 'a star inside a list does not count', text: '0 0 13,*/31 * fri', wanted: [1, 5, 12, 13, 19, 26] },
    { story: 'a star at the head of a list does', text: '0 0 */31,12 * fri', wanted: [12] },
  ])('$story', ({ text, wanted }) => {
    expect(days(text)).toEqual(wanted);
  });

  test('lintCron and explainMatch say that both must match', () => {
    const e = vixie('0 9 */2 * 1');
    expect(lintCron(e).map(({ code, severity }) => [code, severity])).toEqual([['day-and-weekday', 'warning']]);
    expect(lintCron(vixie('0 9 13 * 1')).map(({ code }) => code)).toEqual(['day-or-weekday']);
    expect(lintCron(vixie('0 9 */2 * *')).map(({ code }) => code)).toEqual([]);
    const verdicts = explainMatch(e, Date.UTC(2024, 0, 2, 9), 'UTC');
    expect(verdicts[2]).toMatchObject({ field: 'day', matches: false, note: expect.stringContaining('both') });
    expect(verdicts[4]).toMatchObject({ field: 'weekday', matches: false, note: expect.stringContaining('both') });
    expect(describeCron(e)).toMatch(/, but only on Mondays$/);
  });

  test('a date that exists only by weekday or not at all', () => {
    expect(neverFires(vixie('0 0 30 2 *'))).toBe(true);
    expect(neverFires(vixie('0 0 30 2 1'))).toBe(false);
    expect(neverFires(vixie('0 0 30 2 */2'))).toBe(true);
    expect(new Date(nextOccurrence(vixie('0 0 29 2 */7'), Date.UTC(2024, 0, 1), 'UTC')).toISOString()).toBe(
      '2032-02-29T00:00:00.000Z',
    );
  });
});

test('a literal of the source may be a crontab', () => {
  expect(formatCron(cron('*/15 * * * mon', { dialect: 'vixie' }))).toBe('0,15,30,45 * * * 1');
  expect(() => cron('*/0 * * * *' as string, { dialect: 'vixie' })).toThrow(InvalidCronExpressionError);
});

describe('cronEquals of a crontab and a POSIX expression', () => {
  test.each([
    ['*/15 * * * *', '0,15,30,45 * * * *'],
    ['0 9 * * mon-fri', '0 9 * * 1-5'],
    ['0 0 * * 7', '0 0 * * 0'],
    ['@monthly', '0 0 1 * *'],
    ['0 0 1 * mon', '0 0 1 * 1'],
    ['0 0 */1 * *', '0 0 * * *'],
  ])('%s equals %s, which means the same', (crontab, posix) => {
    expect(cronEquals(vixie(crontab), parseCron(posix))).toBe(true);
    expect(cronEquals(parseCron(posix), vixie(crontab))).toBe(true);
  });

  test.each([
    ['0 0 */2 * 1', '0 0 1,3,5,7,9,11,13,15,17,19,21,23,25,27,29,31 * 1'],
    ['0 0 1 * *', '0 0 1 * 0-6'],
  ])('%s does not equal %s: they join day and weekday differently', (crontab, posix) => {
    expect(cronEquals(vixie(crontab), parseCron(posix))).toBe(false);
  });
});
