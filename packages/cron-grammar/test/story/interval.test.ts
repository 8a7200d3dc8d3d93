import { describe, expect, test } from 'vitest';
import {
  CronArgumentError,
  InvalidInstantError,
  intervalOccurrences,
  nextOccurrence,
  parseCron,
} from '../../src/index.js';

const iso = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString().slice(0, 16));
const at = (text: string): number => Date.parse(`${text}Z`);

describe('intervalOccurrences', () => {
  test('every second Monday keeps nine o’clock through clock changes, both ways', () => {
    const series = intervalOccurrences({ every: { weeks: 2 }, anchor: at('2024-03-18T08:00'), zone: 'Europe/Berlin' });
    expect(iso(series.next(at('2024-03-18T08:00')))).toBe('2024-04-01T07:00');
    expect(iso(series.next(at('2024-03-18T07:59')))).toBe('2024-03-18T08:00');
    expect(iso(series.previous(at('2024-03-18T08:00')))).toBe('2024-03-04T08:00');
    expect(iso(series.next(at('2034-10-24T00:00')))).toBe('2034-10-30T08:00');
  });

  test('every 90 minutes is elapsed time', () => {
    const series = intervalOccurrences({
      every: { minutes: 90 },
      anchor: at('2024-03-31T00:00'),
      zone: 'Europe/Berlin',
    });
    expect(iso(series.next(at('2024-03-31T00:00')))).toBe('2024-03-31T01:30');
    expect(iso(series.next(at('2024-03-31T01:30')))).toBe('2024-03-31T03:00');
    expect(iso(series.previous(at('2024-03-31T00:00')))).toBe('2024-03-30T22:30');
    expect(iso(intervalOccurrences({ every: { hours: 25 }, anchor: 0 }).next(0))).toBe('1970-01-02T01:00');
  });

  test('a missing time is skipped and a repeated one counts twice, as in the daily cron', () => {
    const series = intervalOccurrences({ every: { days: 1 }, anchor: at('2024-03-29T01:30'), zone: 'Europe/Berlin' });
    expect(iso(series.next(at('2024-03-30T02:00')))).toBe('2024-04-01T00:30');
    expect(iso(series.previous(at('2024-04-01T00:30')))).toBe('2024-03-30T01:30');
    expect(iso(series.next(at('2024-10-26T12:00')))).toBe('2024-10-27T00:30');
    expect(iso(series.next(at('2024-10-27T00:30')))).toBe('2024-10-27T01:30');
    expect(iso(series.previous(at('2024-10-27T01:30')))).toBe('2024-10-27T00:30');
  });

  test('a month without the day is skipped', () => {
    const monthly = intervalOccurrences({ every: { months: 1 }, anchor: at('2024-01-31T12:00'), zone: 'UTC' });
    expect(iso(monthly.next(at('2024-01-31T12:00')))).toBe('2024-03-31T12:00');
    expect(iso(monthly.previous(at('2024-01-31T12:00')))).toBe('2023-12-31T12:00');
    const leap = intervalOccurrences({ every: { months: 12 }, anchor: at('2096-02-29T00:00'), zone: 'UTC' });
    expect(iso(leap.next(at('2096-02-29T00:00')))).toBe('2104-02-29T00:00');
  });

  test('a Date in gives a Date out', () => {
    const series = intervalOccurrences({ every: { days: 2 }, anchor: new Date('2024-01-01T00:00Z'), zone: 'UTC' });
    expect(series.next(new Date('2024-01-01T00:00Z'))).toEqual(new Date('2024-01-03T00:00Z'));
    expect(series.previous({ toMillis: () => at('2024-01-01T00:00') })).toBe(at('2023-12-30T00:00'));
    expect(series.next(8.64e15)).toBe(null);
    expect(series.previous(-8.64e15)).toBe(null);
  });

  test.each([
    {},
    { days: 1, hours: 1 },
    { days: 0 },
    { days: 1.5 },
    { days: -1 },
    { days: Number.NaN },
    { days: '1' },
    { years: 1 },
    null,
    5,
  ])('every %j is a CronArgumentError', (every) => {
    expect(() => intervalOccurrences({ every: every as never, anchor: 0 })).toThrow(CronArgumentError);
  });

  test('every { days: undefined, weeks: 1 } has one unit', () => {
    const every = { days: undefined, weeks: 1 } as never;
    const series = intervalOccurrences({ every, anchor: at('2024-01-01T00:00'), zone: 'UTC' });
    expect(iso(series.next(at('2024-01-01T00:00')))).toBe('2024-01-08T00:00');
    expect(() => intervalOccurrences({ every: { days: undefined } as never, anchor: 0 })).toThrow(CronArgumentError);
  });

  test('a number beyond the range of Date is refused with the limit', () => {
    expect(() => intervalOccurrences({ every: { minutes: 1e12 }, anchor: 0 })).toThrow(
      'every.minutes must be a whole number from 1 to 100000000000, got 1000000000000',
    );
  });

  test('an anchor or a question that is no instant is an InvalidInstantError', () => {
    expect(() => intervalOccurrences({ every: { days: 1 }, anchor: Number.NaN })).toThrow(InvalidInstantError);
    expect(() => intervalOccurrences({ every: { days: 1 }, anchor: 0 }).next(Number.NaN)).toThrow(InvalidInstantError);
  });

  test('every day is the daily cron, in all zones of the runtime', () => {
    for (const zone of Intl.supportedValuesOf('timeZone')) {
      const daily = parseCron('30 2 * * *');
      let wanted = nextOccurrence(daily, at('2024-03-01T00:00'), zone);
      const series = intervalOccurrences({ every: { days: 1 }, anchor: wanted, zone });
      for (let step = 0; step < 40; step++) {
        const next = nextOccurrence(daily, wanted, zone);
        expect(series.next(wanted), `${zone} after ${iso(wanted)}`).toBe(next);
        expect(series.previous(next), `${zone} before ${iso(next)}`).toBe(wanted);
        wanted = next;
      }
    }
  });
});
