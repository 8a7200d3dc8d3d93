import { type Random, seededRandom } from '@horae/clock-store';
import { expect, test } from 'vitest';
import {
  type CalendarDefinition,
  countOccurrences,
  firstCollision,
  matches,
  occurrences,
  overlap,
  parseCalendar,
  parseCron,
  tryNextOccurrence,
  tryPreviousOccurrence,
} from '../../src/index.js';
import { clockAt, named, offsetAt, walk } from './minute-walk.js';
import { randomVixie, vixieSets } from './vixie-rules.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const cases = process.env.HORAE_LONG ? 4_000 : 60;
const zones = Intl.supportedValuesOf('timeZone').concat('UTC');

/** The excluded times judged in the plainest way, from what the clock of the calendar's zone shows. */
function excluded(definition: CalendarDefinition, at: number, zone: string): boolean {
  const tick = clockAt(at, definition.zone ?? zone);
  const two = (value: number): string => String(value).padStart(2, '0');
  const monthDay = `${two(tick.month)}-${two(tick.day)}`;
  if (definition.dates?.some((date) => date === monthDay || date === `${tick.year}-${monthDay}`)) return true;
  if (definition.weekdays?.includes(tick.weekday)) return true;
  const time = `${two(tick.hour)}:${two(tick.minute)}`;
  for (const window of definition.windows ?? []) {
    const [start, end] = window.split('-') as [string, string];
    if (end > start ? time >= start && time < end : time >= start || time < end) return true;
  }
  return typeof definition.cron === 'string' && named({ ...vixieSets(definition.cron) }, { ...tick, second: 0 });
}

function randomDefinition(random: Random, near: number, zone: string): CalendarDefinition {
  const own = random.below(3) === 0 ? { zone: zones[random.below(zones.length)]! } : {};
  const two = (value: number): string => String(value).padStart(2, '0');
  const dateNear = (): string => {
    const tick = clockAt(near + (random.below(5) - 2) * DAY, zone);
    return `${random.below(2) === 0 ? `${tick.year}-` : ''}${two(tick.month)}-${two(tick.day)}`;
  };
  const time = (): string => `${two(random.below(24))}:${two(random.below(60))}`;
  return {
    ...own,
    ...(random.below(2) === 0 ? { dates: [dateNear(), dateNear()] } : {}),
    ...(random.below(3) === 0 ? { weekdays: [random.below(7), random.below(7)] } : {}),
    ...(random.below(2) === 0 ? { windows: [`${time()}-${time()}`, `${time()}-${time()}`] } : {}),
    ...(random.below(3) === 0 ? { cron: `${random.below(60)}-59 ${random.below(24)}-23 * * ${random.below(7)}` } : {}),
  };
}

/** A clock change of the zone when one is near, otherwise any minute. */
function pickCentre(random: Random, zone: string): number {
  const start = Date.UTC(1975 + random.below(80), random.below(12), 1 + random.below(28), random.below(24));
  for (let at = start; at < start + 300 * DAY; at += 5 * DAY) {
    if (offsetAt(at + 5 * DAY, zone) !== offsetAt(at, zone)) return at + random.below(5) * DAY;
  }
  return start;
}

test('next, previous, count, matches, lists and collisions leave out what a plain look at the clock excludes, in all zones', () => {
  let seen = 0;
  for (let round = 0; round < cases; round++) {
    const random = seededRandom(`${process.env.HORAE_SEED ?? 'calendars'}/${round}`);
    const zone = zones[(round * 37) % zones.length]!;
    const centre = pickCentre(random, zone);
    const ticks = walk(zone, centre - 20 * HOUR, centre + 20 * HOUR, MINUTE);
    const [from, to] = [ticks[0]!.at, ticks[ticks.length - 1]!.at + MINUTE];
    const definitions = Array.from({ length: 1 + random.below(3) }, () => randomDefinition(random, centre, zone));
    const except = definitions.map((definition) => parseCalendar(definition));
    const free = ticks.filter(({ at }) => !definitions.some((definition) => excluded(definition, at, zone)));
    for (let i = 0; i < 8; i++) {
      const text = i === 0 ? '* * * * *' : randomVixie(random, ticks[random.below(ticks.length)]!);
      const e = parseCron(text, { dialect: 'vixie' });
      const sets = vixieSets(text);
      const starts = free.filter((tick) => named(sets, tick)).map(({ at }) => at);
      const at = from + random.below(to - from);
      const story = `${text} in ${zone} at ${new Date(at).toISOString()} except ${JSON.stringify(definitions)}`;

      const next = tryNextOccurrence(e, at, zone, { except });
      const wanted = starts.find((start) => start > at);
      if (wanted !== undefined) expect(next, `next of ${story}`).toBe(wanted);
      else expect(next === null || next >= to, `next of ${story} is ${next}`).toBe(true);
      const previous = tryPreviousOccurrence(e, at, zone, { except });
      const before = starts.findLast((start) => start < at);
      if (before !== undefined) expect(previous, `previous of ${story}`).toBe(before);
      else expect(previous === null || previous < from, `previous of ${story} is ${previous}`).toBe(true);

      expect(countOccurrences(e, from, to, zone, { except }), `count of ${story}`).toBe(starts.length);
      const minute = Math.floor(at / MINUTE) * MINUTE;
      expect(matches(e, at, zone, { except }), `matches of ${story}`).toBe(starts.includes(minute));
      expect([...occurrences(e, { from, to, zone, except, limit: 50 })], story).toEqual(starts.slice(0, 50));
      expect(
        [...occurrences(e, { from: to, to: from, zone, except, direction: 'backward', limit: 50 })],
        story,
      ).toEqual(starts.slice(-50).reverse());
      const hourly = parseCron('0,30 * * * *');
      const shared = starts.filter((start) => clockAt(start, zone).minute % 30 === 0);
      expect(overlap(e, hourly, { from, to, zone, except }), story).toEqual({
        count: shared.length,
        first: shared[0] ?? null,
      });
      const collision = firstCollision(e, hourly, from - 1, zone, { except });
      if (shared.length > 0) expect(collision, story).toBe(shared[0]);
      seen += starts.length > 0 ? 1 : 0;
    }
  }
  expect(seen).toBeGreaterThan(cases);
}, 120_000);
