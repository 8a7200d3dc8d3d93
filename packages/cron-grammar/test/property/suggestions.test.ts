import { seededRandom } from '@horae/clock-store';
import { describe, expect, test } from 'vitest';
import { type CronDialect, matches, parseCron, tryParseCron } from '../../src/index.js';
import { clockAt, named, type Tick } from './minute-walk.js';
import { randomVixie, vixieSets } from './vixie-rules.js';

const rounds = process.env.HORAE_LONG ? 40_000 : 3_000;

function suggestionOf(text: string, dialect: CronDialect): string | undefined {
  const result = tryParseCron(text, { dialect });
  if (result.ok) expect.fail(`${text} was accepted`);
  return result.error.details.suggestion;
}

/** A year of local times, one every 61 minutes, so that every minute, hour, day, month and weekday comes by. */
const year: readonly Tick[] = Array.from({ length: 8_640 }, (_, index) =>
  clockAt(Date.UTC(2024, 0, 1) + index * 61 * 60_000, 'UTC'),
);

/** The first tick at which the suggestion and the rules of crontab disagree. */
function firstDifference(text: string, suggestion: string, dialect: CronDialect): string | undefined {
  const sets = vixieSets(text);
  const e = parseCron(suggestion, { dialect });
  const tick = year.find(({ at }, index) => named(sets, year[index]!) !== matches(e, at, 'UTC'));
  return tick === undefined ? undefined : `${text} and ${suggestion} at ${new Date(tick.at).toISOString()}`;
}

test.each(['posix', 'quartz'] as const)('what a crontab means, its suggestion for %s means too', (dialect) => {
  const random = seededRandom(`suggestions/${dialect}`);
  let suggested = 0;
  for (let round = 0; round < rounds; round++) {
    const near = year[random.below(year.length)]!;
    const text = randomVixie(random, near);
    if (tryParseCron(text, { dialect }).ok) continue;
    const suggestion = suggestionOf(text, dialect);
    if (suggestion === undefined) continue;
    // The walk over a year is dear, so only some texts make it; all are judged around the time they were drawn for.
    if (round % 20 === 0) expect(firstDifference(text, suggestion, dialect)).toBe(undefined);
    const sets = vixieSets(text);
    const e = parseCron(suggestion, { dialect });
    for (let hours = -60; hours < 60; hours++) {
      const tick = clockAt(near.at + hours * 3_660_000, 'UTC');
      expect(matches(e, tick.at, 'UTC'), `${text} as ${suggestion} at ${new Date(tick.at).toISOString()}`).toBe(
        named(sets, tick),
      );
    }
    suggested++;
  }
  expect(suggested).toBeGreaterThan(rounds / 4);
});

describe('a suggestion never changes the meaning', () => {
  test.each([
    ['0 24 1 * *', undefined],
    ['0 24 * * 1', undefined],
    ['0 24 * 1 *', undefined],
    ['0 20-24 1 * *', undefined],
    ['0 24 * * *', '0 0 * * *'],
    ['30 20-24 * * *', '30 0,20-23 * * *'],
    ['0 8 */100,1-7 * 1', undefined],
    ['0 0 */2 * 1', undefined],
    ['0 0 1 * */2', undefined],
    ['0 0 */2 * 0-6', '0 0 1,3,5,7,9,11,13,15,17,19,21,23,25,27,29,31 * *'],
    ['0 0 */2 * *', '0 0 1,3,5,7,9,11,13,15,17,19,21,23,25,27,29,31 * *'],
    ['0 0 1,* * 1', '0 0 1-31 * 1'],
    ['0 0 *,1 * 1', '0 0 * * 1'],
    ['0 0 * * 1/2', '0 0 * * 0-1,3,5'],
    ['0 0 * * 7/2', '0 0 * * 0'],
    ['0 0 * * sun-sun', '0 0 * * 0-6'],
    ['0 0 * * fri-sun', '0 0 * * 0,5-6'],
    ['0 0 ? * 1', '0 0 * * 1'],
    ['0 0 0 12 1 * MON', undefined],
    ['0 0 12 1 * MON', undefined],
    ['0 0 12 1 * *', '0 12 1 * *'],
    ['0 0 12 ? * MON', '0 12 * * 1'],
  ])('posix: %s gets %s', (text, suggestion) => {
    expect(suggestionOf(text, 'posix')).toBe(suggestion);
  });

  test.each([
    ['0 22-2 * * *', '0 0-2,22-23 * * *'],
    ['0 0 * * sat-mon', '0 0 * * 0-1,6'],
    ['0 0 * * monday', '0 0 * * 1'],
    ['0 0 */2, * 1', undefined],
    ['0 0 ? * 1', '0 0 * * 1'],
    ['0 24 1 * *', undefined],
    ['@Daily', '0 0 * * *'],
    ['@reboot', undefined],
    ['0 0 12 ? * MON-FRI', '0 12 * * 1-5'],
  ])('vixie: %s gets %s', (text, suggestion) => {
    expect(suggestionOf(text, 'vixie')).toBe(suggestion);
  });

  test.each([
    ['*/5 * * * *', '0 0,5,10,15,20,25,30,35,40,45,50,55 * * * ?'],
    ['0 9 * * mon-fri', '0 0 9 ? * 2-6'],
    ['0 0 13 * 5', undefined],
    ['0 0 */2 * 1', undefined],
    ['0 0 0 ? * MON/2', undefined],
  ])('quartz: %s gets %s', (text, suggestion) => {
    expect(suggestionOf(text, 'quartz')).toBe(suggestion);
  });
});

test.each(['MON/2', 'MON-FRI/2', 'mon/2'])('a step after the name %s is refused with the reason', (weekday) => {
  const result = tryParseCron(`0 0 0 ? * ${weekday}`, { dialect: 'quartz' });
  expect(result.ok ? '' : result.error.details.reason).toMatch(/step after a name .* Quartz drops/);
  const month = tryParseCron('0 0 0 1 JAN/2 ?', { dialect: 'quartz' });
  expect(month.ok ? '' : month.error.details).toMatchObject({ field: 'month', column: 12, length: 2 });
});
