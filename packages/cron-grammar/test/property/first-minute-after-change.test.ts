import { expect, test } from 'vitest';
import { matches, nextOccurrence, parseCron, previousOccurrence } from '../../src/index.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const zones = [
  'Europe/Berlin',
  'America/New_York',
  'Australia/Lord_Howe',
  'Pacific/Apia',
  'America/Sao_Paulo',
  'Africa/Cairo',
  'Asia/Tehran',
];

/** Hour and minute that a clock on the wall of the zone shows. */
function wallClock(zone: string): (at: number) => string {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hour: 'numeric',
    minute: 'numeric',
    hourCycle: 'h23',
  });
  return (at) => {
    const parts = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]));
    return `${parts.minute} ${parts.hour}`;
  };
}

/** The minutes from 2008 to 2030 at which the offset changes: the wall clock does not go on by one minute. */
function changes(zone: string): number[] {
  const clock = wallClock(zone);
  const minuteOfDay = (at: number) => {
    const [minute, hour] = clock(at).split(' ').map(Number);
    return hour! * 60 + minute!;
  };
  const found: number[] = [];
  for (let hour = Date.UTC(2008, 0, 1); hour < Date.UTC(2030, 0, 1); hour += 6 * HOUR) {
    if ((minuteOfDay(hour) + 360) % 1440 === minuteOfDay(hour + 6 * HOUR)) continue;
    for (let at = hour; at < hour + 6 * HOUR; at += MINUTE) {
      if ((minuteOfDay(at) + 1) % 1440 !== minuteOfDay(at + MINUTE)) found.push(at + MINUTE);
    }
  }
  return found;
}

test.each(zones)(
  'in %s the first minute after a change is judged by the new offset, also right after the minute before it was',
  (zone) => {
    const clock = wallClock(zone);
    const all = changes(zone);
    expect(all.length).toBeGreaterThan(5);
    for (const at of all) {
      const first = parseCron(`${clock(at)} * * *`);
      const last = parseCron(`${clock(at - MINUTE)} * * *`);
      expect(nextOccurrence(last, at - 2 * MINUTE, zone), 'the last minute before it').toBe(at - MINUTE);
      expect(nextOccurrence(first, at - MINUTE, zone), 'the first minute of it').toBe(at);
      expect(previousOccurrence(first, at + 1, zone)).toBe(at);
      expect(previousOccurrence(last, at, zone)).toBe(at - MINUTE);
      expect([matches(first, at, zone), matches(last, at - 1, zone)]).toEqual([true, true]);
    }
  },
);
