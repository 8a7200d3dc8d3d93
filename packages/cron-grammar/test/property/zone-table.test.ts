import { seededRandom } from '@horae/clock-store';
import { expect, test } from 'vitest';
import { zoneTable } from '../../src/zone/zones.js';
import { offsetAt } from './minute-walk.js';

const DAY = 86_400;
const long = Boolean(process.env.HORAE_LONG);
const zones = Intl.supportedValuesOf('timeZone');

/** The seconds at which the table is compared with `Intl`: a daily walk over two years, or over two centuries in the long run. */
function* daily(zone: string): Generator<number> {
  const random = seededRandom(`zone-table/${zone}`);
  const first = long ? -2_208_988_800 : -2_208_988_800 + random.below(198 * 365) * DAY;
  const days = long ? 73_000 : 730;
  for (let day = 0; day < days; day++) yield first + day * DAY + random.below(DAY);
}

test.each([{ order: 'forwards' }, { order: 'backwards' }, { order: 'shuffled' }])(
  'every zone has the offsets of Intl when it is learnt $order',
  ({ order }) => {
    const share = { forwards: 0, backwards: 1, shuffled: 2 }[order]!;
    for (const [index, zone] of zones.entries()) {
      if (!long && index % 3 !== share) continue;
      const seconds = [...daily(zone)];
      if (order === 'backwards') seconds.reverse();
      if (order === 'shuffled') shuffle(seconds, zone);
      const table = zoneTable(zone);
      for (const second of seconds) {
        const offset = table.offsets[table.locate(second)]!;
        if (offset !== offsetAt(second * 1000, zone) / 1000) {
          expect.fail(`${zone} at ${new Date(second * 1000).toISOString()}: the table says ${offset}`);
        }
      }
    }
  },
);

test.each(['Africa/Freetown', 'America/Recife', 'Asia/Gaza', 'Africa/Tunis', 'Europe/Simferopol', 'Africa/Casablanca'])(
  '%s, where an offset comes and goes within days, is right on every day from 1935 to 2090',
  (zone) => {
    const table = zoneTable(zone);
    for (let second = -1_104_537_600; second < 3_786_912_000; second += DAY) {
      const offset = table.offsets[table.locate(second)]!;
      if (offset !== offsetAt(second * 1000, zone) / 1000) {
        expect.fail(`${zone} at ${new Date(second * 1000).toISOString()}: the table says ${offset}`);
      }
    }
  },
);

test('spans are sorted, do not overlap, and do not touch with equal offsets', () => {
  for (const zone of zones.slice(0, 60)) {
    const table = zoneTable(zone);
    for (const second of daily(zone)) table.locate(second);
    for (let i = 1; i < table.starts.length; i++) {
      expect(table.starts[i]).toBeGreaterThanOrEqual(table.ends[i - 1]!);
      if (table.starts[i] === table.ends[i - 1]) expect(table.offsets[i]).not.toBe(table.offsets[i - 1]);
    }
  }
});

test('the far future repeats the rules of the year 2500 and later', () => {
  for (const zone of ['America/New_York', 'Australia/Lord_Howe', 'Europe/Dublin', 'America/Santiago']) {
    const random = seededRandom(`far/${zone}`);
    const table = zoneTable(zone);
    for (let i = 0; i < 300; i++) {
      const second = 16_000_000_000 + random.below(200_000) * 1_000_000 + random.below(1_000_000);
      const offset = table.offsets[table.locate(second)]!;
      expect(offset, `${zone} at ${second}`).toBe(offsetAt(second * 1000, zone) / 1000);
    }
  }
});

function shuffle(values: number[], seed: string): void {
  const random = seededRandom(seed);
  for (let i = values.length - 1; i > 0; i--) {
    const j = random.below(i + 1);
    [values[i], values[j]] = [values[j]!, values[i]!];
  }
}
