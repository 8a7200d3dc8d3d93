import { describe, expect, test } from 'vitest';
import {
  CronArgumentError,
  countOccurrences,
  cron,
  explainMatch,
  firstCollision,
  formatCron,
  InvalidCronExpressionError,
  InvalidInstantError,
  lintCron,
  occurrences,
  overlap,
  parseCron,
  parseCrontab,
} from '../../src/index.js';

const quartz = (text: string) => parseCron(text, { dialect: 'quartz' });
const utc = 'UTC';

describe('occurrences', () => {
  const hourly = parseCron('0 * * * *');
  const at = (hour: number): number => Date.UTC(2024, 0, 1, hour);

  test('forward includes from and excludes to; backward includes to and excludes from', () => {
    const forward = [...occurrences(hourly, { from: at(1), to: at(4), zone: utc })];
    expect(forward).toEqual([at(1), at(2), at(3)]);
    const backward = [...occurrences(hourly, { from: at(4), to: at(1), zone: utc, direction: 'backward' })];
    expect(backward).toEqual([at(3), at(2), at(1)]);
  });

  test('is lazy and endless without to and limit', () => {
    const walk = occurrences(hourly, { from: at(0) + 1, zone: utc });
    expect([walk.next().value, walk.next().value]).toEqual([at(1), at(2)]);
    expect(walk.return(undefined).done).toBe(true);
  });

  test('stops at the limit, which may be 0', () => {
    expect([...occurrences(hourly, { from: at(0), limit: 2, zone: utc })]).toEqual([at(0), at(1)]);
    expect([...occurrences(hourly, { from: at(0), limit: 0, zone: utc })]).toEqual([]);
  });

  test('is empty when the ends are the wrong way round or nothing ever fires', () => {
    expect([...occurrences(hourly, { from: at(4), to: at(1), zone: utc })]).toEqual([]);
    expect([...occurrences(parseCron('0 0 30 2 *'), { from: at(0), zone: utc })]).toEqual([]);
  });

  test('two walks at once do not disturb each other', () => {
    const berlin = occurrences(hourly, { from: at(0), zone: 'Europe/Berlin', limit: 3 });
    const other = occurrences(hourly, { from: at(0), zone: 'Asia/Kolkata', limit: 3 });
    const pairs = [...berlin].map((ms, i) => [ms, i]);
    expect(pairs.map(([ms]) => ms)).toEqual([at(0), at(1), at(2)]);
    expect([...other]).toEqual([at(0), at(1), at(2)].map((ms) => ms + 1_800_000));
  });

  test.each([{ limit: -1 }, { limit: 1.5 }, { limit: Number.NaN }, { direction: 'sideways' as never }])(
    'refuses %j at the call',
    (options) => {
      expect(() => occurrences(hourly, { from: 0, zone: utc, ...options })).toThrow(CronArgumentError);
    },
  );

  test('refuses an invalid to', () => {
    expect(() => occurrences(hourly, { from: 0, to: Number.NaN, zone: utc })).toThrow(InvalidInstantError);
  });
});

describe('countOccurrences', () => {
  test.each([
    {
      story: 'ten years of minutes',
      text: '* * * * *',
      from: '2020-01-01',
      to: '2030-01-01',
      zone: utc,
      count: 3653 * 1440,
    },
    {
      story: 'ten years of minutes in a zone with clock changes',
      text: '* * * * *',
      from: '2020-01-01',
      to: '2030-01-01',
      zone: 'Europe/Berlin',
      count: 3653 * 1440,
    },
    {
      story: 'one time of day loses one a year to the gap and gains one from the overlap',
      text: '30 2 * * *',
      from: '2024-01-01',
      to: '2025-01-01',
      zone: 'Europe/Berlin',
      count: 366,
    },
    {
      story: 'the spring alone has one less',
      text: '30 2 * * *',
      from: '2024-03-01',
      to: '2024-04-01',
      zone: 'Europe/Berlin',
      count: 30,
    },
    {
      story: 'the autumn alone has one more',
      text: '30 2 * * *',
      from: '2024-10-01',
      to: '2024-11-01',
      zone: 'Europe/Berlin',
      count: 32,
    },
    { story: 'leap days of a century', text: '0 0 29 2 *', from: '2000-01-01', to: '2100-01-01', zone: utc, count: 25 },
    { story: 'never', text: '0 0 30 2 *', from: '2000-01-01', to: '2100-01-01', zone: utc, count: 0 },
    { story: 'ends the wrong way round', text: '* * * * *', from: '2024-01-02', to: '2024-01-01', zone: utc, count: 0 },
  ])('$story', ({ text, from, to, zone, count }) => {
    expect(countOccurrences(parseCron(text), Date.parse(from), new Date(to), zone)).toBe(count);
  });

  test('seconds of Quartz count too', () => {
    expect(countOccurrences(quartz('*/10 0-1 * * * ?'), 0, 86_400_000, utc)).toBe(24 * 2 * 6);
  });
});

describe('overlap and firstCollision', () => {
  const from = Date.UTC(2024, 0, 1);
  const to = Date.UTC(2025, 0, 1);

  test('counts what two expressions share, and finds the first', () => {
    const a = parseCron('0,30 * * * 1');
    const b = parseCron('0 9 1,15 * *');
    const shared = overlap(a, b, { from, to, zone: utc });
    expect(shared).toEqual({ count: 6, first: Date.UTC(2024, 0, 1, 9) });
    expect(overlap(a, b, { from: new Date(from), to, zone: utc }).first).toEqual(new Date(Date.UTC(2024, 0, 1, 9)));
    expect(firstCollision(a, b, Date.UTC(2024, 0, 1, 9), utc)).toBe(Date.UTC(2024, 0, 15, 9));
    expect(firstCollision(a, b, new Date(from), utc)).toEqual(new Date(Date.UTC(2024, 0, 1, 9)));
  });

  test('the dialects may be mixed', () => {
    const a = quartz('*/30 0 9 ? * MON-FRI');
    const b = parseCron('0 9 * * 5');
    expect(firstCollision(a, b, from, utc)).toBe(Date.UTC(2024, 0, 5, 9));
  });

  test.each([
    { story: 'other minutes', a: '0 * * * *', b: '30 * * * *' },
    { story: 'other months', a: '0 0 * 1 *', b: '0 0 * 2 *' },
    { story: 'dates that never meet', a: '0 0 31 * *', b: '0 0 * 4 *' },
    { story: 'one that never fires', a: '0 0 30 2 *', b: '* * * * *' },
  ])('$story: none, and no endless search', ({ a, b }) => {
    expect(overlap(parseCron(a), parseCron(b), { from, to, zone: utc })).toEqual({ count: 0, first: null });
    expect(firstCollision(parseCron(a), parseCron(b), from, utc)).toBe(null);
  });
});

describe('explainMatch', () => {
  test('gives a verdict for each field in the order of the text', () => {
    const verdicts = explainMatch(parseCron('0 9 * * 1-5'), Date.UTC(2024, 5, 1, 7), 'Europe/Berlin');
    expect(verdicts.map(({ field, actual, matches }) => [field, actual, matches])).toEqual([
      ['minute', 0, true],
      ['hour', 9, true],
      ['day', 1, true],
      ['month', 6, true],
      ['weekday', 6, false],
    ]);
    expect(verdicts[4]!.allowed).toEqual([1, 2, 3, 4, 5]);
    expect(verdicts.every((verdict) => verdict.note === undefined)).toBe(true);
  });

  test('notes that one of day and weekday is enough', () => {
    const verdicts = explainMatch(parseCron('0 0 13 * 5'), Date.UTC(2024, 0, 5), utc);
    expect(verdicts[2]).toMatchObject({
      field: 'day',
      matches: false,
      note: expect.stringContaining('one of them is enough'),
    });
    expect(verdicts[4]).toMatchObject({
      field: 'weekday',
      matches: true,
      note: expect.stringContaining('one of them'),
    });
  });

  test('notes a clock change close by', () => {
    const e = parseCron('30 2 * * *');
    const spring = explainMatch(e, Date.UTC(2024, 2, 31, 1, 30), 'Europe/Berlin');
    expect(spring[1]!.note).toBe(
      'The clock goes forward from 2024-03-31 02:00 to 2024-03-31 03:00: local times in between do not exist and are skipped.',
    );
    const autumn = explainMatch(e, Date.UTC(2024, 9, 27, 0, 30), 'Europe/Berlin');
    expect(autumn[1]).toMatchObject({ matches: true, note: expect.stringContaining('occur twice and fire twice') });
  });

  test('Quartz weekdays are those of the dialect, and rules are judged in the month', () => {
    const verdicts = explainMatch(quartz('0 0 0 ? * 6#3 2024'), Date.UTC(2024, 0, 12), utc);
    expect(verdicts.map((verdict) => verdict.field)).toEqual([
      'second',
      'minute',
      'hour',
      'day',
      'month',
      'weekday',
      'year',
    ]);
    expect(verdicts[5]).toMatchObject({ allowed: [6], actual: 6, matches: false });
    expect(explainMatch(quartz('0 0 0 L * ?'), Date.UTC(2024, 1, 29), utc)[3]).toMatchObject({
      allowed: [29],
      matches: true,
    });
  });
});

describe('lintCron', () => {
  const codes = (text: string, zone?: string): string[] =>
    lintCron(parseCron(text), zone === undefined ? undefined : { zone, from: Date.UTC(2024, 0, 1) }).map(
      (lint) => lint.code,
    );

  test.each([
    { text: '0 9 * * 1-5', codes: [] },
    { text: '* * * * *', codes: [] },
    { text: '0 9 13 * 5', codes: ['day-or-weekday'] },
    { text: '0 9 30 2 *', codes: ['never-fires'] },
    { text: '0 9 29 2 *', codes: ['leap-day-only'] },
    { text: '0 9 31 * *', codes: ['skips-short-months'] },
    { text: '0 9 31 1,3 *', codes: [] },
    { text: '0 9 1-31 * *', codes: ['full-range'] },
    { text: '0 9 1-31 * 1', codes: ['day-or-weekday', 'full-range'] },
    { text: '30 2 * * *', codes: ['clock-change-hours'] },
  ])('$text: $codes', ({ text, codes: wanted }) => {
    expect(codes(text)).toEqual(wanted);
  });

  test('with a zone the clock changes of a year are judged exactly', () => {
    expect(codes('30 2 * * *', 'Europe/Berlin')).toEqual(['skipped-by-clock-change', 'repeated-by-clock-change']);
    expect(codes('30 1 * * *', 'Europe/Berlin')).toEqual([]);
    expect(codes('30 2 * * *', 'Asia/Tokyo')).toEqual([]);
    const [lint] = lintCron(parseCron('30 2 * * *'), { zone: 'America/New_York', from: Date.UTC(2024, 0, 1) });
    expect(lint).toEqual({
      code: 'skipped-by-clock-change',
      severity: 'warning',
      field: 'hour',
      message:
        'In America/New_York one time of it will be skipped when the clock goes from 2024-03-10 02:00 to 2024-03-10 03:00.',
    });
  });
});

describe('parseCrontab', () => {
  const text = [
    '# backups',
    '',
    'MAILTO=ops@example.org',
    ' PATH = "/usr/bin:/bin" ',
    '30 2 * * 1-5 /usr/bin/backup --full',
    '  # indented comment',
    '\t0 9 * * mon   report',
    'MAILTO=',
    '@daily cleanup',
    '0 0 * * *',
    '0 0 1 1 * echo 100% A=b\r',
    '0 0',
  ].join('\n');
  const entries = parseCrontab(text, { dialect: 'posix' });

  test('gives an entry for every line that is meant to run something', () => {
    expect(entries.map(({ line, command }) => [line, command])).toEqual([
      [5, '/usr/bin/backup --full'],
      [7, 'report'],
      [9, 'cleanup'],
      [10, ''],
      [11, 'echo 100% A=b'],
      [12, ''],
    ]);
    expect(formatCron(entries[0]!.expression!)).toBe('30 2 * * 1-5');
  });

  test('environment lines count for the lines below them', () => {
    expect(entries[0]!.environment).toEqual({ MAILTO: 'ops@example.org', PATH: '/usr/bin:/bin' });
    expect(entries[4]!.environment).toEqual({ MAILTO: '', PATH: '/usr/bin:/bin' });
  });

  test('a bad line has an error with the column of the line, and does not stop the rest', () => {
    expect(entries[1]!.expression).toBe(null);
    expect(entries[1]!.error).toBeInstanceOf(InvalidCronExpressionError);
    expect(entries[1]!.error!.details).toMatchObject({ field: 'weekday', column: 10, suggestion: '0 9 * * 1' });
    expect(entries[2]!.error!.details).toMatchObject({ field: 'expression', column: 1, suggestion: '0 0 * * *' });
    expect(entries[3]!.error!.details.reason).toMatch(/no command/);
    expect(entries[4]!.error).toBe(undefined);
    expect(entries[5]!.error!.details.reason).toMatch(/5 fields/);
  });

  test('a crontab is read as a crontab unless told otherwise', () => {
    const [, report, cleanup, , , short] = parseCrontab(text);
    expect(formatCron(report!.expression!)).toBe('0 9 * * 1');
    expect([cleanup!.expression!.text, cleanup!.command]).toEqual(['@daily', 'cleanup']);
    expect(short!.error!.details.reason).toMatch(/5 fields/);
    expect(parseCrontab('@reboot start')[0]!.error!.details.reason).toMatch(/names no time/);
    expect(() => parseCrontab('', { dialect: 'quartz' as never })).toThrow(CronArgumentError);
  });

  test('an empty file has no entries; what is no text is refused', () => {
    expect(parseCrontab('')).toEqual([]);
    expect(() => parseCrontab(null as never)).toThrow(CronArgumentError);
  });
});

describe('cron', () => {
  test('reads a call and a tag', () => {
    expect(formatCron(cron('0 9 * * 1-5'))).toBe('0 9 * * 1-5');
    expect(formatCron(cron`0 9 * * 1-5`)).toBe('0 9 * * 1-5');
    const hour = 7;
    expect(formatCron(cron`0 ${hour}\t* * *`)).toBe('0 7 * * *');
  });

  test('a wrong text throws at once', () => {
    expect(() => cron`*/5 * * * *`).toThrow(InvalidCronExpressionError);
    expect(() => cron('60 * * * *' as string)).toThrow(InvalidCronExpressionError);
  });
});
