import { type Random, seededRandom } from '@horae/clock-store';
import rrule from 'rrule';
import { expect, test } from 'vitest';
import { expandRule } from '../../src/exclusion/ics/expand-rule.js';
import { readRule } from '../../src/exclusion/ics/recurrence-rule.js';

const cases = process.env.HORAE_LONG ? 20_000 : 600;
const WEEKDAYS = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA'];

function pick<T>(random: Random, list: readonly T[]): T {
  return list[random.below(list.length)]!;
}

function some(random: Random, most: number, draw: () => string): string {
  // In order, because the library gives the times of a day in the order in which the rule lists them.
  const drawn = new Set(Array.from({ length: 1 + random.below(most) }, draw));
  return [...drawn].sort((a, b) => Number(a) - Number(b)).join(',');
}

function randomRule(random: Random): string {
  const frequency = pick(random, ['YEARLY', 'YEARLY', 'MONTHLY', 'MONTHLY', 'WEEKLY', 'DAILY', 'HOURLY']);
  const parts = [`FREQ=${frequency}`];
  const maybe = (chance: number, part: () => string): void => {
    if (random.below(chance) === 0) parts.push(part());
  };
  maybe(2, () => `INTERVAL=${1 + random.below(5)}`);
  maybe(3, () => `COUNT=${1 + random.below(40)}`);
  // The library walks to the year 9999 for a rule that gives nothing, so days that never come are left to coarse rules.
  const coarse = frequency === 'YEARLY' || frequency === 'MONTHLY';
  maybe(4, () => `BYMONTH=${some(random, 3, () => `${1 + random.below(12)}`)}`);
  if (coarse) maybe(4, () => `BYMONTHDAY=${some(random, 3, () => `${pick(random, [1, 2, 13, 15, 28, -1, -2])}`)}`);
  // The library gives nothing when some weekdays of a list have numbers and some have none.
  const numbered = coarse && random.below(2) === 0;
  maybe(
    2,
    () =>
      `BYDAY=${some(random, 3, () => `${numbered ? pick(random, ['1', '2', '-1', '4']) : ''}${pick(random, WEEKDAYS)}`)}`,
  );
  if (frequency === 'YEARLY') {
    maybe(8, () => `BYYEARDAY=${some(random, 3, () => `${pick(random, [1, 60, 100, 200, 365, 366, -1, -100])}`)}`);
    maybe(8, () => `BYWEEKNO=${some(random, 2, () => `${pick(random, [1, 2, 20, 52, 53, -1])}`)}`);
  }
  // With some intervals an hour never comes, and the library does not end.
  if (frequency !== 'HOURLY') maybe(5, () => `BYHOUR=${some(random, 2, () => `${random.below(24)}`)}`);
  maybe(6, () => `BYMINUTE=${some(random, 2, () => `${random.below(60)}`)}`);
  maybe(6, () => `BYSETPOS=${pick(random, [1, -1])}`);
  maybe(3, () => `WKST=${pick(random, WEEKDAYS)}`);
  return parts.join(';');
}

test('rules give the starts that the library rrule gives', () => {
  let compared = 0;
  for (let round = 0; round < cases; round++) {
    const random = seededRandom(`${process.env.HORAE_SEED ?? 'recurrence'}/${round}`);
    const text = randomRule(random);
    // The two differ in what a numbered weekday beside numbered weeks counts in, which the standard forbids.
    if (/BYWEEKNO/.test(text) && /BYDAY=[^;]*[0-9]/.test(text)) continue;
    const start = Date.UTC(
      2020 + random.below(5),
      random.below(12),
      1 + random.below(28),
      random.below(24),
      random.below(60),
    );
    const end = start + (1 + random.below(4)) * 366 * 86_400_000;
    const dtstart = `DTSTART:${new Date(start).toISOString().replace(/[-:]|\.000/g, '')}`;
    const library = rrule.rrulestr(`${dtstart}\nRRULE:${text}`);
    const wanted: number[] = [];
    library.all((date) => {
      if (date.getTime() >= end || wanted.length >= 300) return false;
      wanted.push(date.getTime() / 1000);
      return true;
    });
    const rule = readRule(text);
    const { starts } = expandRule(rule, start / 1000, end / 1000, 5_000, { periods: 1_000_000 });
    // Here the start always counts; there only when the rule names it.
    if (rule.count !== Number.POSITIVE_INFINITY && wanted[0] !== start / 1000) continue;
    const own = wanted[0] === start / 1000 ? starts : starts.slice(1);
    expect(own.slice(0, 300), `${text} from ${new Date(start).toISOString()}`).toEqual(wanted.slice(0, 300));
    compared++;
  }
  expect(compared).toBeGreaterThan(cases / 2);
});
