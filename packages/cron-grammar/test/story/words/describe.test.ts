import { describe, expect, test } from 'vitest';
import { CronArgumentError, type CronDialect, describeCron, parseCron } from '../../../src/index.js';
import { TABLE } from './table.js';

const LOCALES = ['en', 'de', 'fr', 'es', 'zh'] as const;

const rows = TABLE.trim()
  .split('\n\n')
  .map((block) => {
    const [head, ...said] = block.trim().split('\n') as [string, ...string[]];
    const blank = head.indexOf(' ');
    return { dialect: head.slice(0, blank) as CronDialect, text: head.slice(blank + 1), said };
  });

test('the table has 150 expressions, each once, in five languages', () => {
  expect(new Set(rows.map(({ dialect, text }) => `${dialect} ${text}`)).size).toBeGreaterThanOrEqual(150);
  expect(rows.every(({ said }) => said.length === 5)).toBe(true);
});

describe.each(LOCALES.map((locale, index) => ({ locale, index })))('describeCron in $locale', ({ locale, index }) => {
  test.each(rows.map(({ dialect, text, said }) => ({ dialect, text, words: said[index]! })))(
    '$dialect $text: $words',
    ({ dialect, text, words }) => {
      expect(describeCron(parseCron(text, { dialect }), { locale })).toBe(words);
    },
  );
});

describe('describeCron', () => {
  test.each([
    ['en', '0 0 * * *', 'At 12:00 AM every day'],
    ['en', '30 12 * * *', 'At 12:30 PM every day'],
    ['en', '0 9-17 * * 1', 'Every hour from 9:00 AM to 5:00 PM on Mondays'],
    ['de', '0 9,17 * * *', 'Um 9:00 AM und 5:00 PM jeden Tag'],
    ['de', '0 9-17 * * *', 'Jede Stunde von 9:00 AM bis 5:00 PM jeden Tag'],
    ['fr', '5 17 * * *', 'À 5:05 PM tous les jours'],
    ['es', '0 1 * * *', 'A la 1:00 a. m. todos los días'],
    ['es', '0 13 * * *', 'A la 1:00 p. m. todos los días'],
    ['zh', '30 17 * * *', '每天，下午5:30'],
  ] as const)('with twelve hours in %s: %s', (locale, text, words) => {
    expect(describeCron(parseCron(text), { locale, hours: 12 })).toBe(words);
  });

  test('is English with 24 hours when nothing is said', () => {
    expect(describeCron(parseCron('0 17 * * *'))).toBe('At 17:00 every day');
    expect(describeCron(parseCron('0 17 * * *'), { hours: 24 })).toBe('At 17:00 every day');
  });

  test('another locale or another clock is a CronArgumentError', () => {
    expect(() => describeCron(parseCron('* * * * *'), { locale: 'constructor' as never })).toThrow(CronArgumentError);
    expect(() => describeCron(parseCron('* * * * *'), { locale: 'it' as never })).toThrow(CronArgumentError);
    expect(() => describeCron(parseCron('* * * * *'), { hours: 13 as never })).toThrow(CronArgumentError);
  });
});
