import { type Random, seededRandom } from '@horae/clock-store';
import { expect, test } from 'vitest';
import { type Interval, intervalOccurrences } from '../../src/index.js';
import { clockAt, offsetAt, type Tick, walk } from './minute-walk.js';

const QUARTER = 15 * 60_000;
const DAY = 86_400_000;
const cases = process.env.HORAE_LONG ? 3_000 : 150;
const CHANGING = ['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'America/Santiago'];
const zones = Intl.supportedValuesOf('timeZone').concat('UTC');

/** A clock change of the zone between 1990 and 2040 when one is near, otherwise any quarter of an hour. */
function pickCentre(random: Random, zone: string): number {
  const start = Date.UTC(1990 + random.below(50), random.below(12), 1 + random.below(28), random.below(24));
  for (let at = start; at < start + 300 * DAY; at += 5 * DAY) {
    if (offsetAt(at + 5 * DAY, zone) !== offsetAt(at, zone)) return at + random.below(5) * DAY;
  }
  return start;
}

/** Any tick, or some days before a clock change at a time of day that the change skips or repeats. */
function pickAnchor(random: Random, ticks: readonly Tick[]): number {
  const any = ticks[random.below(ticks.length)]!.at + (random.below(3) - 1) * 200 * DAY;
  const showing = ({ hour, minute }: Tick): number => hour * 60 + minute;
  const change = ticks.findIndex((tick, index) => {
    const next = ticks[index + 1];
    return next !== undefined && (showing(next) - showing(tick) + 1440) % 1440 !== 15;
  });
  if (change < 0 || random.below(4) === 0) return any;
  const before = ticks[change]!.at - (1 + random.below(4)) * DAY;
  return before + (random.below(8) - 4) * QUARTER;
}

const dayOf = ({ year, month, day }: Tick): number => Date.UTC(year, month - 1, day) / DAY;

/** Whether a tick belongs to the series, by what the clock shows at the anchor and at the tick. */
function belongs(every: Interval, anchor: Tick, tick: Tick): boolean {
  if ('minutes' in every) return (tick.at - anchor.at) % (every.minutes * 60_000) === 0;
  if ('hours' in every) return (tick.at - anchor.at) % (every.hours * 3_600_000) === 0;
  if (tick.hour !== anchor.hour || tick.minute !== anchor.minute) return false;
  if ('months' in every) {
    const months = (tick.year - anchor.year) * 12 + tick.month - anchor.month;
    return tick.day === anchor.day && months % every.months === 0;
  }
  return (dayOf(tick) - dayOf(anchor)) % ('weeks' in every ? 7 * every.weeks : every.days) === 0;
}

function randomEvery(random: Random): Interval {
  const units = [
    { days: 1 + random.below(4) },
    { weeks: 1 + random.below(2) },
    { months: 1 },
    { hours: 1 + random.below(30) },
    { minutes: 15 * (1 + random.below(20)) },
  ];
  return random.below(2) === 0 ? { days: 1 } : units[random.below(units.length)]!;
}

test('next and previous agree with a walk through the clock, around clock changes in all zones', () => {
  for (let round = 0; round < cases; round++) {
    const random = seededRandom(`${process.env.HORAE_SEED ?? 'intervals'}/${round}`);
    // Half of the rounds are in zones whose clocks change twice a year.
    const zone = round % 2 === 0 ? CHANGING[(round / 2) % CHANGING.length]! : zones[(round * 29) % zones.length]!;
    // Offsets have been multiples of a quarter of an hour since 1990, so a walk in quarters meets every local quarter.
    const centre = Math.floor(pickCentre(random, zone) / QUARTER) * QUARTER;
    const ticks = walk(zone, centre - 20 * DAY, centre + 20 * DAY, QUARTER);
    const every = randomEvery(random);
    const anchor = clockAt(pickAnchor(random, ticks), zone);
    const series = intervalOccurrences({ every, anchor: anchor.at, zone });
    const starts = ticks.filter((tick) => belongs(every, anchor, tick)).map(({ at }) => at);
    const drawn = Array.from({ length: 6 }, () => ticks[random.below(ticks.length)]!.at);
    for (const at of [...drawn, ...starts.slice(0, 60)].flatMap((from) => [from - 1, from, from + 1])) {
      const story = `${JSON.stringify(every)} from ${new Date(anchor.at).toISOString()} in ${zone} at ${new Date(at).toISOString()}`;
      const next = starts.find((start) => start > at);
      if (next !== undefined) expect(series.next(at), `next of ${story}`).toBe(next);
      else expect(series.next(at)!, story).toBeGreaterThan(ticks[ticks.length - 1]!.at);
      const previous = starts.findLast((start) => start < at);
      if (previous !== undefined) expect(series.previous(at), `previous of ${story}`).toBe(previous);
      else expect(series.previous(at)!, story).toBeLessThan(ticks[0]!.at);
    }
  }
});
