import { describe, expect, test } from 'vitest';
import {
  type Calendar,
  CronArgumentError,
  CronCalculationError,
  countOccurrences,
  firstCollision,
  InvalidCalendarError,
  matches,
  nextOccurrence,
  occurrences,
  overlap,
  parseCalendar,
  parseCron,
  previousOccurrence,
  tryNextOccurrence,
  tryPreviousOccurrence,
} from '../../src/index.js';

const daily = parseCron('0 9 * * *');
const every = parseCron('* * * * *');
const utc = 'UTC';
const at = (text: string): number => Date.parse(`${text}Z`);
const list = (calendar: Calendar, from: string, to: string, zone = utc): string[] =>
  [...occurrences(daily, { from: at(from), to: at(to), zone, except: [calendar] })].map((ms) =>
    new Date(ms).toISOString().slice(0, 10),
  );

describe('parseCalendar excludes', () => {
  test.each([
    { story: 'a date', definition: { dates: ['2026-12-25'] }, left: ['2026-12-24', '2026-12-26', '2026-12-27'] },
    { story: 'a date of every year', definition: { dates: ['12-25', '12-27'] }, left: ['2026-12-24', '2026-12-26'] },
    { story: 'a weekday', definition: { weekdays: [0, 6] }, left: ['2026-12-24', '2026-12-25'] },
    { story: 'a window', definition: { windows: ['08:00-09:01'] }, left: [] },
    {
      story: 'a window up to its end only',
      definition: { windows: ['08:00-09:00'] },
      left: ['2026-12-24', '2026-12-25', '2026-12-26', '2026-12-27'],
    },
    { story: 'a window over midnight', definition: { windows: ['22:00-09:30'] }, left: [] },
    { story: 'the whole day', definition: { windows: ['00:00-24:00'] }, left: [] },
    { story: 'a window that ends where it starts', definition: { windows: ['12:00-12:00'] }, left: [] },
    { story: 'a cron', definition: { cron: '0 9 25-26 * *' }, left: ['2026-12-24', '2026-12-27'] },
    {
      story: 'a parsed cron',
      definition: { cron: parseCron('0 9 25 * *') },
      left: ['2026-12-24', '2026-12-26', '2026-12-27'],
    },
    {
      story: 'all that it names together',
      definition: { dates: ['2026-12-24'], weekdays: [5], cron: '* * 26 12 *' },
      left: ['2026-12-27'],
    },
    { story: 'nothing', definition: {}, left: ['2026-12-24', '2026-12-25', '2026-12-26', '2026-12-27'] },
  ])('$story', ({ definition, left }) => {
    expect(list(parseCalendar(definition), '2026-12-24T00:00', '2026-12-28T00:00')).toEqual(left);
  });

  test('29 February of every year comes in leap years', () => {
    const e = parseCron('0 0 29 2 *');
    expect(tryNextOccurrence(e, at('2024-01-01T00:00'), utc, { except: [parseCalendar({ dates: ['02-29'] })] })).toBe(
      null,
    );
  });

  test('a zone of its own: the date there counts, not the date here', () => {
    const tokyo = parseCalendar({ dates: ['2026-12-25'], zone: 'Asia/Tokyo' });
    // 25 December in Tokyo is 24 December 15:00 to 25 December 15:00 in UTC.
    const e = parseCron('0 14,15 * * *');
    const left = [
      ...occurrences(e, { from: at('2026-12-24T00:00'), to: at('2026-12-26T00:00'), zone: utc, except: [tokyo] }),
    ];
    expect(left).toEqual([at('2026-12-24T14:00'), at('2026-12-25T15:00')]);
  });

  test('the definition is plain JSON', () => {
    const definition = {
      dates: ['12-25'],
      weekdays: [0],
      windows: ['22:00-06:00'],
      cron: '0 0 * * *',
      zone: 'Europe/Berlin',
    };
    expect(parseCalendar(JSON.parse(JSON.stringify(definition)))).toEqual(parseCalendar(definition));
  });
});

describe('parseCalendar refuses', () => {
  test.each([
    [{ dates: ['2026-02-30'] }, 'dates', '2026-02-30'],
    [{ dates: ['02-30'] }, 'dates', '02-30'],
    [{ dates: ['2026-1-1'] }, 'dates', '2026-1-1'],
    [{ dates: [20261225] }, 'dates', 20261225],
    [{ dates: '2026-12-25' }, 'dates', '2026-12-25'],
    [{ weekdays: [7] }, 'weekdays', 7],
    [{ weekdays: ['mon'] }, 'weekdays', 'mon'],
    [{ windows: ['9-17'] }, 'windows', '9-17'],
    [{ windows: ['09:00-24:01'] }, 'windows', '09:00-24:01'],
    [{ windows: ['24:00-09:00'] }, 'windows', '24:00-09:00'],
    [{ windows: ['09:60-10:00'] }, 'windows', '09:60-10:00'],
    [{ cron: '*/5 * * * *' }, 'cron', '*/5 * * * *'],
    [{ cron: 5 }, 'cron', 5],
    [{ zone: 'Mars/Olympus' }, 'zone', 'Mars/Olympus'],
    [{ zone: 1 }, 'zone', 1],
    [{ ics: 'nonsense' }, 'ics', 'nonsense'],
    [{ holidays: [] }, 'holidays', []],
  ])('%j', (definition, field, value) => {
    const refused = (): unknown => parseCalendar(definition as never);
    expect(refused).toThrow(InvalidCalendarError);
    try {
      refused();
    } catch (error) {
      expect((error as InvalidCalendarError).details).toEqual({ field, value });
    }
  });

  test.each([null, undefined, 'dates', ['2026-12-25']])('%j as a definition', (definition) => {
    expect(() => parseCalendar(definition as never)).toThrow(InvalidCalendarError);
  });
});

describe('except', () => {
  const christmas = parseCalendar({ dates: ['2026-12-25'] });
  const eve = at('2026-12-24T12:00');

  test('is the last argument, after a zone that may be undefined', () => {
    expect(nextOccurrence(daily, eve, utc, { except: [christmas] })).toBe(at('2026-12-26T09:00'));
    expect(nextOccurrence(daily, new Date(eve), utc, { except: [christmas] })).toEqual(new Date('2026-12-26T09:00Z'));
    expect(previousOccurrence(daily, at('2026-12-26T08:00'), utc, { except: [christmas] })).toBe(
      at('2026-12-24T09:00'),
    );
    expect(matches(daily, at('2026-12-25T09:00'), utc, { except: [christmas] })).toBe(false);
    expect(matches(daily, at('2026-12-25T09:00'), utc)).toBe(true);
    expect(countOccurrences(daily, eve, at('2026-12-27T00:00'), utc, { except: [christmas] })).toBe(1);
    expect(firstCollision(daily, every, eve, utc, { except: [christmas] })).toBe(at('2026-12-26T09:00'));
    expect(overlap(daily, every, { from: eve, to: at('2026-12-27T00:00'), zone: utc, except: [christmas] })).toEqual({
      count: 1,
      first: at('2026-12-26T09:00'),
    });
    expect(nextOccurrence(daily, eve, undefined, { except: [] })).toBe(nextOccurrence(daily, eve));
    expect(nextOccurrence(daily, eve, undefined, {})).toBe(nextOccurrence(daily, eve));
  });

  test('takes ten calendars; an eleventh is a CronArgumentError', () => {
    const ten = Array.from({ length: 10 }, (_, index) => parseCalendar({ dates: [`2026-12-${15 + index}`] }));
    expect(nextOccurrence(daily, at('2026-12-15T00:00'), utc, { except: ten })).toBe(at('2026-12-25T09:00'));
    const calls: ((except: readonly Calendar[]) => unknown)[] = [
      (except) => nextOccurrence(daily, eve, utc, { except }),
      (except) => tryPreviousOccurrence(daily, eve, utc, { except }),
      (except) => matches(daily, eve, utc, { except }),
      (except) => countOccurrences(daily, eve, eve, utc, { except }),
      (except) => occurrences(daily, { from: eve, zone: utc, except }),
      (except) => overlap(daily, every, { from: eve, to: eve, zone: utc, except }),
      (except) => firstCollision(daily, every, eve, utc, { except }),
    ];
    for (const call of calls) {
      expect(() => call([...ten, christmas])).toThrow(CronArgumentError);
      expect(() => call([{ dates: ['2026-12-25'] } as never])).toThrow(CronArgumentError);
      expect(() => call(christmas as never)).toThrow(CronArgumentError);
    }
  });

  test('a missing time stays missing and a repeated one is judged each time', () => {
    const berlin = 'Europe/Berlin';
    const e = parseCron('30 2 * * *');
    const noSundays = parseCalendar({ weekdays: [0] });
    const from = Date.UTC(2024, 9, 26, 12);
    expect(nextOccurrence(e, from, berlin, { except: [noSundays] })).toBe(Date.UTC(2024, 9, 28, 1, 30));
    // The window in Tokyo holds only the first of the two half past two in Berlin.
    const tokyo = parseCalendar({ windows: ['09:00-10:00'], zone: 'Asia/Tokyo' });
    expect(nextOccurrence(e, from, berlin, { except: [tokyo] })).toBe(Date.UTC(2024, 9, 27, 1, 30));
  });
});

describe('nothing left', () => {
  const berlin = 'Europe/Berlin';
  const odd = parseCron('*/2 * * * *', { dialect: 'vixie' });
  const even = parseCron('1/2 * * * *', { dialect: 'vixie' });
  const rows: { story: string; except: Calendar[] }[] = [
    { story: 'all weekdays', except: [parseCalendar({ weekdays: [0, 1, 2, 3, 4, 5, 6] })] },
    {
      story: 'all weekdays by two',
      except: [parseCalendar({ weekdays: [0, 2, 4, 6] }), parseCalendar({ weekdays: [1, 3, 5] })],
    },
    { story: 'the whole day', except: [parseCalendar({ windows: ['00:00-24:00'] })] },
    { story: 'every minute', except: [parseCalendar({ cron: '* * * * *' })] },
    { story: 'odd and even minutes', except: [parseCalendar({ cron: odd }), parseCalendar({ cron: even })] },
    {
      story: 'odd and even minutes of two zones',
      except: [parseCalendar({ cron: odd, zone: 'America/New_York' }), parseCalendar({ cron: even })],
    },
  ];

  test.each(rows)('$story: null or CronCalculationError, in both directions', ({ except }) => {
    const from = Date.UTC(2024, 0, 1);
    expect(tryNextOccurrence(every, from, berlin, { except })).toBe(null);
    expect(tryPreviousOccurrence(every, from, berlin, { except })).toBe(null);
    expect(() => nextOccurrence(every, from, berlin, { except })).toThrow(CronCalculationError);
    expect(() => previousOccurrence(every, from, berlin, { except })).toThrow(CronCalculationError);
    expect([...occurrences(every, { from, zone: berlin, except })]).toEqual([]);
    expect(countOccurrences(every, from, Date.UTC(2034, 0, 1), berlin, { except })).toBe(0);
    expect(firstCollision(every, every, from, berlin, { except })).toBe(null);
  });

  test.each(rows)('$story: after looking at each day of 41 years a few times, not at each minute', ({ except }) => {
    // The work is counted by the looks at the calendars' days, which every step of a search takes.
    let looks = 0;
    const counted = except.map(
      (calendar) =>
        new Proxy(calendar, {
          get: (target, key) => {
            if (key === 'weekdays') looks++;
            return Reflect.get(target, key);
          },
        }),
    );
    expect(tryNextOccurrence(every, Date.UTC(2024, 0, 1), utc, { except: counted })).toBe(null);
    // A minute walk would take 21 million steps.
    expect(looks).toBeLessThan(41 * 366 * 12 * except.length + 10_000);
  });

  test('a rare date is still found: 29 February on a Sunday', () => {
    const e = parseCron('0 0 29 2 *');
    const except = [parseCalendar({ weekdays: [1, 2, 3, 4, 5, 6] })];
    expect(nextOccurrence(e, Date.UTC(2033, 0, 1), utc, { except })).toBe(Date.UTC(2060, 1, 29));
    expect(nextOccurrence(e, Date.UTC(2061, 0, 1), utc, { except })).toBe(Date.UTC(2088, 1, 29));
    expect(nextOccurrence(e, Date.UTC(2089, 0, 1), utc, { except })).toBe(Date.UTC(2128, 1, 29));
  });

  test('what is left after a long list of dates is found', () => {
    const dates = Array.from({ length: 9_000 }, (_, day) =>
      new Date(Date.UTC(2024, 0, 1) + day * 86_400_000).toISOString().slice(0, 10),
    );
    const except = [parseCalendar({ dates })];
    expect(nextOccurrence(daily, Date.UTC(2024, 0, 1), utc, { except })).toBe(
      Date.UTC(2024, 0, 1, 9) + 9_000 * 86_400_000,
    );
  });
});

describe('a calendar in JSON', () => {
  const from = Date.UTC(2026, 11, 24);
  const hourly = parseCron('0 * * * *');

  test.each([
    { definition: { dates: ['2026-12-25', '12-26'], weekdays: [0], windows: ['22:00-06:00'], zone: 'Europe/Berlin' } },
    { definition: { cron: '0 9 * * *' } },
    { definition: { cron: parseCron('0 0/2 9 ? * FRI', { dialect: 'quartz' }) } },
  ])('is its definition, and excludes the same when it is read: $definition', ({ definition }) => {
    const calendar = parseCalendar(definition);
    const read = parseCalendar(JSON.parse(JSON.stringify(calendar)));
    const times = (except: Calendar) => [...occurrences(hourly, { from, zone: 'UTC', limit: 100, except: [except] })];
    expect(times(read)).toEqual(times(calendar));
    expect(read).toEqual(calendar);
  });

  test('does not follow later changes of the definition', () => {
    const dates = ['2026-12-25'];
    const calendar = parseCalendar({ dates });
    dates.push('2026-12-26');
    expect(JSON.stringify(calendar)).toBe('{"dates":["2026-12-25"]}');
  });
});

test('no message shows a value as [object Object]', () => {
  const value = {} as never;
  const calls = [
    () => parseCron('* * * * *', { dialect: value }),
    () => nextOccurrence(value, 0),
    () => [...occurrences(every, { from: 0, direction: value })],
    () => [...occurrences(every, { from: 0, limit: value })],
    () => parseCalendar({ dates: value }),
  ];
  for (const call of calls) {
    expect(call).toThrow(/an object/);
    expect(call).not.toThrow(/object Object/);
  }
});
