import { describe, expect, onTestFinished, test } from 'vitest';
import { parseCalendar } from '../exclusion/parse-calendar.js';
import { parseCron } from '../parse/parse-cron.js';
import type { ZoneTable } from '../zone/zone-table.js';
import { zoneTable } from '../zone/zones.js';
import { firstAllowed, lastAllowed } from './seek-except.js';

const quartz = (text: string) => parseCron(text, { dialect: 'quartz' });
const ten = (text: (index: number) => string) => Array.from({ length: 10 }, (_, index) => quartz(text(index)));

/** Looks into the zone table that settle 41 years within a second, with room to spare. */
const MAX_LOOKS = 2_000_000;

/** A zone whose table refuses to be looked at more often than that. */
function limitedZone(name: string): ZoneTable {
  const zone = zoneTable(name);
  const { locate } = zone;
  let looks = 0;
  zone.locate = (second) => {
    if (++looks > MAX_LOOKS) throw new Error(`more than ${MAX_LOOKS} looks`);
    return locate.call(zone, second);
  };
  onTestFinished(() => {
    zone.locate = locate;
  });
  return zone;
}

describe('ten cron calendars that together leave nothing of every second', () => {
  const everySecond = quartz('* * * * * ?');
  const from = Date.UTC(2024, 0, 1) / 1000;

  test.each([
    { story: 'every tenth second each', crons: ten((i) => `${i}/10 * * * * ?`) },
    { story: 'seconds of even and odd minutes', crons: ten((i) => `${i % 5}/5 ${i < 5 ? 0 : 1}/2 * * * ?`) },
    { story: 'seconds of two parts of the week', crons: ten((i) => `${i % 5}/5 * * ? * ${i < 5 ? '1-4' : '5-7'}`) },
    {
      story: 'seconds of parts of the month that differ',
      crons: ten((i) => `${i % 5}/5 * * ${i < 5 ? `1-${15 + i}` : `${11 + i}-31`} * ?`),
    },
  ])('$story: the work is bounded in a zone that changes its clocks', ({ crons }) => {
    const except = crons.map((cron) => parseCalendar({ cron }));
    const zone = limitedZone('Europe/Berlin');
    expect(firstAllowed(everySecond, from, zone, except)).toBe(Number.NaN);
    expect(lastAllowed(everySecond, from, zone, except)).toBe(Number.NaN);
  });

  test('the one second that is left is found, on the day of a clock change too', () => {
    // Second 59 of 03:59 is left, on 31 March only, when Berlin goes from 02:00 to 03:00.
    const except = [
      ...ten((i) => `${i}/10 * * * 1,2,4-12 ?`).slice(0, 4),
      parseCalendar({ cron: '* * * 1,2,4-12 *' }).cron!,
      quartz('* * * 1-30 3 ?'),
      quartz('* * 0-2,4-23 31 3 ?'),
      quartz('* 0-58 3 31 3 ?'),
      quartz('0/2 59 3 31 3 ?'),
      quartz('1-58 59 3 31 3 ?'),
    ].map((cron) => parseCalendar({ cron }));
    const zone = zoneTable('Europe/Berlin');
    expect(firstAllowed(everySecond, from, zone, except) * 1000).toBe(Date.UTC(2024, 2, 31, 1, 59, 59));
    expect(lastAllowed(everySecond, from, zone, except) * 1000).toBe(Date.UTC(2023, 2, 31, 1, 59, 59));
  });
});
