import { DateTime } from 'luxon';
import { describe, expect, test } from 'vitest';
import {
  CronArgumentError,
  CronCalculationError,
  InvalidInstantError,
  matches,
  nextOccurrence,
  occurrences,
  parseCron,
  previousOccurrence,
  tryNextOccurrence,
  tryPreviousOccurrence,
  UnknownZoneError,
} from '../../src/index.js';

const iso = (ms: number): string => new Date(ms).toISOString().replace(':00.000Z', 'Z');
const between = (text: string, from: string, to: string, zone: string): string[] =>
  [...occurrences(parseCron(text), { from: Date.parse(from), to: Date.parse(to), zone })].map(iso);

describe('clock changes', () => {
  test.each([
    {
      story: 'a local time that does not exist is skipped that day',
      text: '30 2 * * *',
      zone: 'Europe/Berlin',
      from: '2024-03-30T00:00Z',
      to: '2024-04-02T00:00Z',
      starts: ['2024-03-30T01:30Z', '2024-04-01T00:30Z'],
    },
    {
      story: 'a local time that occurs twice fires twice',
      text: '30 2 * * *',
      zone: 'Europe/Berlin',
      from: '2024-10-26T12:00Z',
      to: '2024-10-28T12:00Z',
      starts: ['2024-10-27T00:30Z', '2024-10-27T01:30Z', '2024-10-28T01:30Z'],
    },
    {
      story: 'every hour goes on through the gap',
      text: '0 * * * *',
      zone: 'America/New_York',
      from: '2024-03-10T05:30Z',
      to: '2024-03-10T08:30Z',
      starts: ['2024-03-10T06:00Z', '2024-03-10T07:00Z', '2024-03-10T08:00Z'],
    },
    {
      story: 'every hour fires in both passes of the repeated hour',
      text: '0 1 * * *',
      zone: 'America/New_York',
      from: '2024-11-03T00:00Z',
      to: '2024-11-04T00:00Z',
      starts: ['2024-11-03T05:00Z', '2024-11-03T06:00Z'],
    },
    {
      story: 'a half-hour gap swallows half an hour only',
      text: '0,15,30,45 2 * * *',
      zone: 'Australia/Lord_Howe',
      from: '2024-10-05T14:00Z',
      to: '2024-10-05T18:00Z',
      starts: ['2024-10-05T15:30Z', '2024-10-05T15:45Z'],
    },
    {
      story: 'a half-hour overlap repeats half an hour only',
      text: '0,15,30,45 1 * * *',
      zone: 'Australia/Lord_Howe',
      from: '2024-04-06T13:30Z',
      to: '2024-04-06T16:00Z',
      starts: [
        '2024-04-06T14:00Z',
        '2024-04-06T14:15Z',
        '2024-04-06T14:30Z',
        '2024-04-06T14:45Z',
        '2024-04-06T15:00Z',
        '2024-04-06T15:15Z',
      ],
    },
    {
      story: 'a whole skipped day has no midnight',
      text: '0 0 * * *',
      zone: 'Pacific/Apia',
      from: '2011-12-29T00:00Z',
      to: '2012-01-01T09:00Z',
      starts: ['2011-12-29T10:00Z', '2011-12-30T10:00Z', '2011-12-31T10:00Z'],
    },
    {
      story: 'the skipped 30 December does not fire',
      text: '0 12 30 12 *',
      zone: 'Pacific/Apia',
      from: '2011-01-01T00:00Z',
      to: '2013-01-01T00:00Z',
      starts: ['2012-12-29T22:00Z'],
    },
    {
      story: 'a midnight gap skips midnight',
      text: '0 0 * * *',
      zone: 'America/Sao_Paulo',
      from: '2018-11-03T00:00Z',
      to: '2018-11-06T00:00Z',
      starts: ['2018-11-03T03:00Z', '2018-11-05T02:00Z'],
    },
    {
      story: 'a midnight overlap repeats the last hour of the day',
      text: '30 23 * * *',
      zone: 'America/Sao_Paulo',
      from: '2018-02-17T12:00Z',
      to: '2018-02-18T12:00Z',
      starts: ['2018-02-18T01:30Z', '2018-02-18T02:30Z'],
    },
    {
      story: 'the midnight gap of Cairo skips midnight',
      text: '0,30 0 * * *',
      zone: 'Africa/Cairo',
      from: '2024-04-25T00:00Z',
      to: '2024-04-27T00:00Z',
      starts: ['2024-04-26T21:00Z', '2024-04-26T21:30Z'],
    },
  ])('$story ($text, $zone)', ({ text, zone, from, to, starts }) => {
    expect(between(text, from, to, zone)).toEqual(starts);
    const backward = occurrences(parseCron(text), {
      from: Date.parse(to),
      to: Date.parse(from),
      zone,
      direction: 'backward',
    });
    expect([...backward].map(iso)).toEqual(starts.toReversed());
  });

  test('both passes of a repeated minute match, a skipped one never does', () => {
    const e = parseCron('30 2 * * *');
    expect(matches(e, Date.parse('2024-10-27T00:30:59Z'), 'Europe/Berlin')).toBe(true);
    expect(matches(e, Date.parse('2024-10-27T01:30:00Z'), 'Europe/Berlin')).toBe(true);
    expect(matches(e, Date.parse('2024-03-31T01:30:00Z'), 'Europe/Berlin')).toBe(false);
  });

  test('a Quartz date that always falls into the gap has no occurrence, and the search ends', () => {
    const e = parseCron('0 30 2 ? 3 1L', { dialect: 'quartz' });
    expect(tryNextOccurrence(e, Date.parse('2024-01-01T00:00Z'), 'Europe/Berlin')).toBe(null);
  });
});

describe('strictly after and strictly before', () => {
  const e = parseCron('0 * * * *');
  const noon = Date.parse('2024-06-01T12:00Z');
  test.each([
    { story: 'at a start', at: noon, next: '2024-06-01T13:00Z', previous: '2024-06-01T11:00Z' },
    { story: 'a millisecond after it', at: noon + 1, next: '2024-06-01T13:00Z', previous: '2024-06-01T12:00Z' },
    { story: 'a millisecond before it', at: noon - 1, next: '2024-06-01T12:00Z', previous: '2024-06-01T11:00Z' },
    {
      story: 'a fraction of a millisecond before it',
      at: noon - 0.25,
      next: '2024-06-01T12:00Z',
      previous: '2024-06-01T11:00Z',
    },
  ])('$story', ({ at, next, previous }) => {
    expect(iso(nextOccurrence(e, at, 'UTC'))).toBe(next);
    expect(iso(previousOccurrence(e, at, 'UTC'))).toBe(previous);
  });

  test('leap days: 2096 is followed by 2104, because 2100 has none', () => {
    const leap = parseCron('0 0 29 2 *');
    expect(iso(nextOccurrence(leap, Date.parse('2097-01-01T00:00Z'), 'UTC'))).toBe('2104-02-29T00:00Z');
    expect(iso(previousOccurrence(leap, Date.parse('2103-01-01T00:00Z'), 'UTC'))).toBe('2096-02-29T00:00Z');
  });

  test('instants before 1970, before year 0 and near the ends of Date work', () => {
    const yearly = parseCron('0 0 1 1 *');
    expect(iso(nextOccurrence(yearly, Date.parse('1899-06-01T00:00Z'), 'UTC'))).toBe('1900-01-01T00:00Z');
    expect(iso(nextOccurrence(yearly, Date.parse('-000001-12-15T00:00:00Z'), 'UTC'))).toBe('0000-01-01T00:00Z');
    expect(iso(previousOccurrence(yearly, Date.parse('0000-01-01T00:00:00Z'), 'UTC'))).toBe('-000001-01-01T00:00Z');
    expect(tryNextOccurrence(yearly, 8.64e15, 'UTC')).toBe(null);
    expect(tryPreviousOccurrence(yearly, -8.64e15, 'Europe/Berlin')).toBe(null);
    expect(iso(nextOccurrence(yearly, Date.parse('+200000-06-01T00:00:00Z'), 'America/New_York'))).toBe(
      '+200001-01-01T05:00Z',
    );
  });
});

describe('no occurrence', () => {
  const e = parseCron('0 0 30 2 *');
  const at = Date.parse('2024-01-01T00:00:00Z');
  test.each([
    { which: 'next' as const, call: nextOccurrence },
    { which: 'previous' as const, call: previousOccurrence },
  ])('$which throws CronCalculationError with expression, time and cause', ({ which, call }) => {
    const reason = `No valid ${which} execution time found for cron expression`;
    try {
      call(e, at, 'UTC');
      expect.fail('it did not throw');
    } catch (error) {
      expect(error).toBeInstanceOf(CronCalculationError);
      const thrown = error as CronCalculationError;
      expect(thrown.message).toBe(`Failed to calculate ${which} occurrence: ${reason}`);
      expect(thrown.details).toMatchObject({ expression: '0 0 30 2 *', currentTime: '2024-01-01T00:00:00.000Z' });
      expect(thrown.details.cause).toBeInstanceOf(Error);
      expect(thrown.details.cause.message).toBe(reason);
      expect(thrown.cause).toBe(thrown.details.cause);
    }
  });

  test('the try forms give null', () => {
    expect(tryNextOccurrence(e, at, 'UTC')).toBe(null);
    expect(tryPreviousOccurrence(e, new Date(at), 'UTC')).toBe(null);
  });
});

describe('instants and zones as people hand them in', () => {
  const e = parseCron('0 9 * * *');
  const at = Date.parse('2024-06-01T00:00Z');
  const nine = Date.parse('2024-06-01T07:00Z');

  test('a Date in gives a Date out, everything else a number', () => {
    expect(nextOccurrence(e, new Date(at), 'Europe/Berlin')).toEqual(new Date(nine));
    expect(nextOccurrence(e, at, 'Europe/Berlin')).toBe(nine);
    expect(nextOccurrence(e, DateTime.fromMillis(at), 'Europe/Berlin')).toBe(nine);
    expect(previousOccurrence(e, new Date(nine + 1), 'Europe/Berlin')).toEqual(new Date(nine));
    expect(tryNextOccurrence(e, new Date(at), 'Europe/Berlin')).toEqual(new Date(nine));
    expect(tryPreviousOccurrence(e, DateTime.fromMillis(nine + 1), 'Europe/Berlin')).toBe(nine);
    expect([...occurrences(e, { from: new Date(at), limit: 1, zone: 'Europe/Berlin' })]).toEqual([new Date(nine)]);
    expect(matches(e, new Date(nine), 'Europe/Berlin')).toBe(true);
  });

  test.each([
    { value: Number.NaN },
    { value: Number.POSITIVE_INFINITY },
    { value: 8.64e15 + 1 },
    { value: new Date(Number.NaN) },
    { value: DateTime.invalid('test') },
    { value: '2024-01-01' },
    { value: null },
    { value: undefined },
    { value: {} },
    { value: 5n },
    { value: { toMillis: (): unknown => 'soon' } },
  ])('$value is an InvalidInstantError, in the try forms too', ({ value }) => {
    for (const call of [nextOccurrence, previousOccurrence, tryNextOccurrence, tryPreviousOccurrence, matches]) {
      expect(() => call(e, value as never, 'UTC')).toThrow(InvalidInstantError);
    }
  });

  test.each([{ zone: 'Mars/Olympus' }, { zone: '' }, { zone: 5 }, { zone: null }, { zone: 'Europe/Berlin\u0000' }])(
    'the zone $zone is an UnknownZoneError',
    ({ zone }) => {
      expect(() => nextOccurrence(e, at, zone as never)).toThrow(UnknownZoneError);
      expect(() => tryNextOccurrence(e, at, zone as never)).toThrow(UnknownZoneError);
      expect(() => occurrences(e, { from: at, zone: zone as never })).toThrow(UnknownZoneError);
    },
  );

  test('zone names are those of the runtime, in any case, links and offsets included', () => {
    expect(nextOccurrence(e, at, 'europe/berlin')).toBe(nine);
    expect(nextOccurrence(e, at, 'Etc/GMT-2')).toBe(nine);
  });

  test('a text in place of an expression is told what to do', () => {
    expect(() => nextOccurrence('0 9 * * *' as never, at, 'UTC')).toThrow(CronArgumentError);
    expect(() => nextOccurrence('0 9 * * *' as never, at, 'UTC')).toThrow(/parse it first/);
  });

  test('without a zone the zone of the host counts, also after it changes', () => {
    const before = process.env.TZ;
    try {
      process.env.TZ = 'Asia/Tokyo';
      const isApplied = new Date(at).getTimezoneOffset() === -540;
      if (isApplied) expect(iso(nextOccurrence(e, at))).toBe('2024-06-02T00:00Z');
      process.env.TZ = 'America/New_York';
      expect(iso(nextOccurrence(e, at))).toBe(isApplied ? '2024-06-01T13:00Z' : iso(nextOccurrence(e, at, hostZone())));
    } finally {
      if (before === undefined) delete process.env.TZ;
      else process.env.TZ = before;
    }
  });
});

function hostZone(): string {
  return new Intl.DateTimeFormat('en-US').resolvedOptions().timeZone;
}
