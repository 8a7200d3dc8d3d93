import { describe, expect, test } from 'vitest';
import { InvalidCalendarError, occurrences, parseCalendar, parseCron, parseIcs } from '../../src/index.js';

const hourly = parseCron('0 * * * *');

const file = (...lines: string[]): string =>
  ['BEGIN:VCALENDAR', 'VERSION:2.0', ...lines, 'END:VCALENDAR', ''].join('\r\n');
const event = (...lines: string[]): string => file('BEGIN:VEVENT', 'UID:1', ...lines, 'END:VEVENT');

/** The hours of a stretch that a calendar excludes, as `25T09` in UTC. */
function hours(text: string, from: string, to: string, zone = 'UTC'): string[] {
  const window = { from: Date.parse(from), to: Date.parse(to), zone };
  const free = new Set(occurrences(hourly, { ...window, except: [parseIcs(text)] }));
  return [...occurrences(hourly, window)]
    .filter((at) => !free.has(at))
    .map((at) => new Date(at).toISOString().slice(8, 13));
}

/** The days of a month on which something is excluded. */
function days(text: string, month: string, zone = 'UTC'): number[] {
  const [year, number] = month.split('-').map(Number) as [number, number];
  const from = new Date(Date.UTC(year, number - 1, 1)).toISOString();
  const to = new Date(Date.UTC(year, number, 1)).toISOString();
  return [...new Set(hours(text, from, to, zone).map((hour) => Number(hour.slice(0, 2))))];
}

describe('parseIcs', () => {
  test('an all-day event is a local date, one day without an end', () => {
    const text = event('DTSTART;VALUE=DATE:20261225');
    expect(hours(text, '2026-12-24T20:00Z', '2026-12-26T04:00Z')).toHaveLength(24);
    // In Berlin the day begins at 23:00 UTC.
    expect(hours(text, '2026-12-24T20:00Z', '2026-12-26T04:00Z', 'Europe/Berlin')[0]).toBe('24T23');
    expect(days(event('DTSTART;VALUE=DATE:20261225', 'DTEND;VALUE=DATE:20261227'), '2026-12')).toEqual([25, 26]);
    expect(days(event('DTSTART;VALUE=DATE:20261225', 'DURATION:P3D'), '2026-12')).toEqual([25, 26, 27]);
  });

  test('a timed event is half-open: with Z, with TZID, or floating in the zone', () => {
    const [from, to] = ['2026-12-25T00:00Z', '2026-12-26T00:00Z'];
    expect(hours(event('DTSTART:20261225T090000Z', 'DTEND:20261225T110000Z'), from, to)).toEqual(['25T09', '25T10']);
    const berlin = event('DTSTART;TZID=Europe/Berlin:20261225T090000', 'DURATION:PT2H');
    expect(hours(berlin, from, to)).toEqual(['25T08', '25T09']);
    const floating = event('DTSTART:20261225T090000', 'DTEND:20261225T110000');
    expect(hours(floating, from, to)).toEqual(['25T09', '25T10']);
    expect(hours(floating, from, to, 'Europe/Berlin')).toEqual(['25T08', '25T09']);
    const own = parseIcs(floating, { zone: 'Asia/Tokyo' });
    expect([
      ...occurrences(hourly, { from: Date.parse('2026-12-25T00:00Z'), zone: 'UTC', limit: 1, except: [own] }),
    ]).toEqual([Date.parse('2026-12-25T02:00Z')]);
    expect(hours(event('DTSTART:20261225T090000Z'), from, to)).toEqual([]);
  });

  test('through clock changes a repeated event keeps its wall clock', () => {
    const text = event(
      'DTSTART;TZID=Europe/Berlin:20240330T090000',
      'DTEND;TZID=Europe/Berlin:20240330T100000',
      'RRULE:FREQ=DAILY;COUNT=3',
    );
    expect(hours(text, '2024-03-30T00:00Z', '2024-04-03T00:00Z')).toEqual(['30T08', '31T07', '01T07']);
  });

  test.each([
    ['FREQ=DAILY;COUNT=3', [5, 6, 7]],
    ['FREQ=DAILY;INTERVAL=10', [5, 15, 25]],
    ['FREQ=DAILY;UNTIL=20260108', [5, 6, 7, 8]],
    ['FREQ=WEEKLY', [5, 12, 19, 26]],
    ['FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,FR', [5, 9, 19, 23]],
    ['FREQ=MONTHLY;BYDAY=2TU', [5, 13]],
    ['FREQ=MONTHLY;BYDAY=-1FR', [5, 30]],
    ['FREQ=MONTHLY;BYMONTHDAY=-1', [5, 31]],
    ['FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1', [5, 30]],
    ['FREQ=YEARLY', [5]],
  ])('%s from Monday 5 January 2026', (rule, wanted) => {
    expect(days(event('DTSTART;VALUE=DATE:20260105', `RRULE:${rule}`), '2026-01')).toEqual(wanted);
  });

  test('a recurring event is followed for ten years', () => {
    const text = event('DTSTART;VALUE=DATE:20200704', 'RRULE:FREQ=YEARLY');
    expect(days(text, '2029-07')).toEqual([4]);
    expect(days(text, '2030-07')).toEqual([]);
  });

  test('EXDATE leaves out, RDATE adds, a moved occurrence counts where it moved to', () => {
    const text = file(
      'BEGIN:VEVENT',
      'UID:weekly',
      'DTSTART;VALUE=DATE:20260105',
      'RRULE:FREQ=WEEKLY',
      'EXDATE;VALUE=DATE:20260112',
      'RDATE;VALUE=DATE:20260114',
      'END:VEVENT',
      'BEGIN:VEVENT',
      'UID:weekly',
      'RECURRENCE-ID;VALUE=DATE:20260119',
      'DTSTART;VALUE=DATE:20260121',
      'END:VEVENT',
    );
    expect(days(text, '2026-01')).toEqual([5, 14, 21, 26]);
  });

  test('cancelled events, to-dos, alarms and zone definitions do not count', () => {
    const text = file(
      'BEGIN:VTIMEZONE',
      'TZID:Europe/Berlin',
      'BEGIN:STANDARD',
      'DTSTART:19701025T030000',
      'RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU',
      'END:STANDARD',
      'END:VTIMEZONE',
      'BEGIN:VTODO',
      'DTSTART;VALUE=DATE:20260102',
      'END:VTODO',
      'BEGIN:VEVENT',
      'STATUS:CANCELLED',
      'DTSTART;VALUE=DATE:20260103',
      'END:VEVENT',
      'BEGIN:VEVENT',
      'DTSTART;VALUE=DATE:20260104',
      'BEGIN:VALARM',
      'DTSTART;VALUE=DATE:20260106',
      'TRIGGER:-PT15M',
      'END:VALARM',
      'END:VEVENT',
    );
    expect(days(text, '2026-01')).toEqual([4]);
  });

  test('folded lines, LF, lower case and parameters with colons in quotes are read', () => {
    const text = event('DTSTART;X-NOTE="a:b;c";VALUE=DATE\r\n :2026\r\n\t0105', 'SUMMARY:a\\, b');
    expect(days(text, '2026-01')).toEqual([5]);
    expect(days(text.replaceAll('\r\n', '\n').toLowerCase().replace('value=date', 'VALUE=DATE'), '2026-01')).toEqual([
      5,
    ]);
  });

  test('is the same as the ics of a definition', () => {
    const text = event('DTSTART;VALUE=DATE:20260105');
    expect(parseIcs(text, { zone: 'UTC' })).toEqual(parseCalendar({ ics: text, zone: 'UTC' }));
  });

  describe('a zone that the file defines itself', () => {
    const outlookZone = [
      'BEGIN:VTIMEZONE',
      'TZID:W. Europe Standard Time',
      'BEGIN:STANDARD',
      'DTSTART:16010101T030000',
      'TZOFFSETFROM:+0200',
      'TZOFFSETTO:+0100',
      'RRULE:FREQ=YEARLY;INTERVAL=1;BYDAY=-1SU;BYMONTH=10',
      'END:STANDARD',
      'BEGIN:DAYLIGHT',
      'DTSTART:16010101T020000',
      'TZOFFSETFROM:+0100',
      'TZOFFSETTO:+0200',
      'RRULE:FREQ=YEARLY;INTERVAL=1;BYDAY=-1SU;BYMONTH=3',
      'END:DAYLIGHT',
      'END:VTIMEZONE',
    ];
    const daily = (zone: string, ...before: string[]): string =>
      file(
        ...before,
        'BEGIN:VEVENT',
        `DTSTART;TZID=${zone}:20240101T023000`,
        'DURATION:PT1H',
        'RRULE:FREQ=DAILY;UNTIL=20261231T013000Z',
        `EXDATE;TZID=${zone}:20240105T023000`,
        'END:VEVENT',
      );

    test('is read as the zone it is, through every clock change, under the name that Outlook writes', () => {
      const [from, to] = ['2023-12-31T00:00Z', '2027-01-02T00:00Z'];
      const wanted = hours(daily('Europe/Berlin'), from, to);
      expect(wanted.length).toBeGreaterThan(1000);
      expect(hours(daily('W. Europe Standard Time', ...outlookZone), from, to)).toEqual(wanted);
    });

    test('gives way to the runtime under an IANA name', () => {
      const wrong = outlookZone.map((line) =>
        line.replace('W. Europe Standard Time', 'Europe/Berlin').replace('+02', '+07'),
      );
      const [from, to] = ['2024-01-01T00:00Z', '2024-12-31T00:00Z'];
      expect(hours(daily('Europe/Berlin', ...wrong), from, to)).toEqual(hours(daily('Europe/Berlin'), from, to));
    });

    test('may change once and for all, on dates, and until a date', () => {
      const zone = [
        'BEGIN:VTIMEZONE',
        'TZID:Island',
        'BEGIN:STANDARD',
        'DTSTART:20240110T000000',
        'TZOFFSETFROM:+0000',
        'TZOFFSETTO:-0330',
        'RDATE:20240120T000000',
        'END:STANDARD',
        'BEGIN:DAYLIGHT',
        'DTSTART:20240115T000000',
        'TZOFFSETFROM:-0330',
        'TZOFFSETTO:+0000',
        'RRULE:FREQ=DAILY;INTERVAL=10;UNTIL=20240125T033000Z',
        'END:DAYLIGHT',
        'END:VTIMEZONE',
      ];
      const on = (day: string): string[] =>
        hours(
          file(...zone, 'BEGIN:VEVENT', `DTSTART;TZID=Island:202401${day}T123000`, 'DURATION:PT1H', 'END:VEVENT'),
          '2024-01-01T00:00Z',
          '2024-02-01T00:00Z',
        );
      expect(['05', '12', '17', '22', '28'].map(on)).toEqual([['05T13'], ['12T16'], ['17T13'], ['22T16'], ['28T13']]);
    });

    test.each([
      ['without a definition', []],
      ['without observances', ['BEGIN:VTIMEZONE', 'TZID:W. Europe Standard Time', 'END:VTIMEZONE']],
      ['without an offset', outlookZone.filter((line) => !line.startsWith('TZOFFSETTO'))],
      ['with an offset that is none', outlookZone.map((line) => line.replace('+0100', 'east'))],
      ['with endless changes', outlookZone.map((line) => line.replace('YEARLY', 'HOURLY').replace(/;BY.*/, ''))],
    ])('%s is refused', (_, lines) => {
      expect(() => parseIcs(daily('W. Europe Standard Time', ...lines))).toThrow(InvalidCalendarError);
    });
  });

  test.each([
    '',
    'nonsense',
    'BEGIN:VEVENT\nDTSTART:20260101\nEND:VEVENT',
    'BEGIN:VCALENDAR\nBEGIN:VEVENT\nDTSTART:20260101',
    'BEGIN:VCALENDAR\nEND:VEVENT',
    event('SUMMARY:no start'),
    event('DTSTART:20260230'),
    event('DTSTART:yesterday'),
    event('DTSTART:20260101T250000Z'),
    event('DTSTART;TZID=Mars/Olympus:20260101T090000', 'DURATION:PT1H'),
    event('DTSTART:20260101', 'DURATION:P'),
    event('DTSTART:20260101', 'RRULE:FREQ=OFTEN'),
    event('DTSTART:20260101', 'RRULE:FREQ=DAILY;INTERVAL=0'),
    event('DTSTART:20260101', 'RRULE:FREQ=WEEKLY;BYDAY=XX'),
    event('DTSTART:20260101', 'RRULE:RSCALE=HEBREW;FREQ=YEARLY'),
    event('DTSTART:20260101T000000Z', 'DURATION:PT1S', 'RRULE:FREQ=SECONDLY'),
    event('DTSTART:20260101T000000Z', 'DURATION:PT1S', 'RRULE:FREQ=MINUTELY'),
  ])('%j is an InvalidCalendarError of the field ics', (text) => {
    expect(() => parseIcs(text)).toThrow(InvalidCalendarError);
    try {
      parseIcs(text);
    } catch (error) {
      expect((error as InvalidCalendarError).details.field).toBe('ics');
    }
  });

  test.each([null, undefined, 5])('%j is refused', (text) => {
    expect(() => parseIcs(text as never)).toThrow(InvalidCalendarError);
  });
});
