import { type Random, seededRandom } from '@horae/clock-store';
import { afterAll, describe, expect, test } from 'vitest';
import {
  type CronExpression,
  countOccurrences,
  cronEquals,
  formatCron,
  matches,
  parseCron,
  tryNextOccurrence,
  tryPreviousOccurrence,
} from '../../src/index.js';
import { clockAt, type FieldSets, named, offsetAt, type Tick, walk } from './minute-walk.js';
import { randomPosix, randomQuartz } from './random-expression.js';
import { randomVixie, vixieSets } from './vixie-rules.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** `HORAE_LONG=1` makes the walk forty times longer. */
const rounds = process.env.HORAE_LONG ? 40 : 1;
const seed = process.env.HORAE_SEED ?? 'minute-walk';
const zones = Intl.supportedValuesOf('timeZone').concat('UTC');
let cases = 0;

/** An instant to look around: mostly a clock change of the zone between 1973 and 2060, otherwise any minute. */
function pickCentre(random: Random, zone: string): number {
  const start = Date.UTC(
    1973 + random.below(87),
    random.below(12),
    1 + random.below(28),
    random.below(24),
    random.below(60),
  );
  if (random.below(4) === 0) return start;
  const before = offsetAt(start, zone);
  for (let at = start; at < start + 400 * DAY; at += 5 * DAY) {
    if (offsetAt(at + 5 * DAY, zone) !== before) return transitionIn(at, at + 5 * DAY, zone, before);
  }
  return start;
}

function transitionIn(low: number, high: number, zone: string, before: number): number {
  while (high - low > MINUTE) {
    const middle = low + Math.floor((high - low) / 2 / MINUTE) * MINUTE;
    if (offsetAt(middle, zone) === before) low = middle;
    else high = middle;
  }
  return high;
}

/** Compares next, previous, matches and count with the walk; the message of a failure is all one needs to repeat it. */
function compare(
  random: Random,
  e: CronExpression,
  sets: FieldSets,
  ticks: readonly Tick[],
  zone: string,
  step: number,
): void {
  const from = ticks[0]!.at;
  const to = ticks[ticks.length - 1]!.at + step;
  const starts = ticks.filter((tick) => named(sets, tick)).map((tick) => tick.at);
  const at = from + random.below(to - from);
  const story = `${e.text} in ${zone} at ${new Date(at).toISOString()}`;

  const next = tryNextOccurrence(e, at, zone);
  const wantedNext = starts.find((start) => start > at);
  if (wantedNext !== undefined) expect(next, `next of ${story}`).toBe(wantedNext);
  else expect(next === null || next >= to, `next of ${story} is ${next}, inside a window without one`).toBe(true);

  const previous = tryPreviousOccurrence(e, at, zone);
  const wantedPrevious = starts.findLast((start) => start < at);
  if (wantedPrevious !== undefined) expect(previous, `previous of ${story}`).toBe(wantedPrevious);
  else expect(previous === null || previous < from, `previous of ${story} is ${previous}`).toBe(true);

  const tick = ticks[Math.floor((at - from) / step)]!;
  expect(matches(e, at, zone), `matches of ${story}`).toBe(named(sets, tick));

  const other = from + random.below(to - from);
  const [low, high] = at < other ? [at, other] : [other, at];
  const wantedCount = starts.filter((start) => start >= low && start < high).length;
  expect(countOccurrences(e, low, high, zone), `count of ${story} and ${other}`).toBe(wantedCount);
  cases++;
}

describe('against a walk through Intl.DateTimeFormat, in every zone of the runtime', () => {
  // Offsets have been whole minutes since 1972, so that minutes of the zone are minutes of UTC.
  test.each(Array.from({ length: rounds }, (_, round) => round))('POSIX minutes, round %i', (round) => {
    for (const zone of zones) {
      const random = seededRandom(`${seed}/${round}/${zone}`);
      const centre = pickCentre(random, zone);
      const reach = (2 + random.below(24)) * HOUR;
      const ticks = walk(zone, centre - reach, centre + reach, MINUTE);
      for (let i = 0; i < 48; i++) {
        const { text, sets } = randomPosix(random, ticks[random.below(ticks.length)]!);
        compare(random, parseCron(text), sets, ticks, zone, MINUTE);
      }
    }
  });

  test.each(Array.from({ length: rounds }, (_, round) => round))('crontab minutes, round %i', (round) => {
    for (const zone of zones) {
      const random = seededRandom(`${seed}/vixie/${round}/${zone}`);
      const centre = pickCentre(random, zone);
      const reach = (2 + random.below(24)) * HOUR;
      const ticks = walk(zone, centre - reach, centre + reach, MINUTE);
      for (let i = 0; i < 32; i++) {
        const text = randomVixie(random, ticks[random.below(ticks.length)]!);
        const e = parseCron(text, { dialect: 'vixie' });
        compare(random, e, vixieSets(text), ticks, zone, MINUTE);
        const canonical = formatCron(e);
        expect(cronEquals(parseCron(canonical, { dialect: 'vixie' }), e), `${text} as ${canonical}`).toBe(true);
        // Unless two sets are joined by "and", the canonical text is POSIX and means the same there.
        if (e.monthRule === null) compare(random, parseCron(canonical), vixieSets(text), ticks, zone, MINUTE);
        else expect(canonical, text).toMatch(/\*\//);
      }
    }
  });

  test.each(Array.from({ length: rounds }, (_, round) => round))('Quartz seconds, round %i', (round) => {
    for (const zone of zones) {
      const random = seededRandom(`${seed}/quartz/${round}/${zone}`);
      const centre = pickCentre(random, zone) + (random.below(60) - 30) * 1000;
      const ticks = walk(zone, centre - 300_000, centre + 300_000, 1000);
      for (let i = 0; i < 16; i++) {
        const { text, sets } = randomQuartz(random, ticks[random.below(ticks.length)]!);
        compare(random, parseCron(text, { dialect: 'quartz' }), sets, ticks, zone, 1000);
      }
    }
  });

  test('the offsets of the far past, with seconds in them, hold too', () => {
    for (const zone of zones) {
      const random = seededRandom(`${seed}/past/${zone}`);
      const start =
        Date.UTC(1880 + random.below(90), random.below(12), 1 + random.below(28)) + random.below(86_400) * 1000;
      const { text, sets } = randomPosix(random, clockAt(start, zone));
      const wanted = walk(zone, start, start + 4 * MINUTE * 60, 1000).find((tick) => named(sets, tick));
      const next = tryNextOccurrence(parseCron(text), start - 1, zone);
      const story = `${text} in ${zone} after ${new Date(start).toISOString()}`;
      if (wanted !== undefined) expect(next, story).toBe(wanted.at);
      else expect(next === null || next >= start + 4 * HOUR, `${story} is ${next}`).toBe(true);
      cases++;
      if (zones.indexOf(zone) > 60 * rounds) break;
    }
  });

  afterAll(() => {
    expect(cases).toBeGreaterThanOrEqual(20_000);
  });
});
