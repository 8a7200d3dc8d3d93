import { expect, test } from 'vitest';
import { analyseCron } from './analyse-cron.js';

const now = Date.UTC(2026, 5, 1);
const analyse = (expression: string, zone = 'Europe/Berlin', second?: string) => {
  const answer = analyseCron({ expression, zone, dialect: 'posix', now, second });
  if (!answer.ok) throw new Error(answer.fault.message);
  return answer;
};

test('a wrong expression is answered with place, reason and fix', () => {
  const answer = analyseCron({ expression: '0 9 * * mon', zone: 'UTC', dialect: 'posix', now });
  expect(answer).toMatchObject({
    ok: false,
    fault: { field: 'weekday', column: 9, length: 3, suggestion: '0 9 * * 1' },
  });
});

test('a line of a crontab is read as one, with the surprise that both days must match', () => {
  const ask = (expression: string) => analyseCron({ expression, zone: 'UTC', dialect: 'vixie', now });
  expect(ask('*/15 9-17 * * mon-fri')).toMatchObject({
    ok: true,
    canonical: '0,15,30,45 9-17 * * 1-5',
    words: 'Every 15 minutes from 09:00 to 17:45 from Monday to Friday',
  });
  const both = ask('0 0 */2 * 1');
  expect(both.ok && both.lints[0]).toMatchObject({ severity: 'warning', message: expect.stringContaining('both') });
});

test('the year is counted in local days, the two odd ones included', () => {
  const { perDay, firstWeekday, year } = analyse('30 2 * * *');
  expect([year, perDay.length, firstWeekday]).toEqual([2026, 365, 3]);
  expect(perDay.filter((count) => count === 0)).toHaveLength(1);
  expect(perDay.filter((count) => count === 2)).toHaveLength(1);
});

test('the odd days say what happens on them', () => {
  expect(analyse('30 2 * * *').changes).toEqual([
    { date: '2026-03-29', kind: 'skipped', change: '+01:00 to +02:00', runs: [], usual: 1 },
    {
      date: '2026-10-25',
      kind: 'repeated',
      change: '+02:00 to +01:00',
      runs: ['02:30 +02:00', '02:30 +01:00'],
      usual: 1,
    },
  ]);
  expect(analyse('30 2 * * *', 'UTC').changes).toEqual([]);
});

test.each(['Europe/Berlin', 'UTC', 'Australia/Lord_Howe', 'America/Sao_Paulo', 'Africa/Cairo'])(
  'every run of a year in %s has its day and its hour',
  (zone) => {
    const { perDay, perHour } = analyse('0,30 * * * *', zone);
    const sum = (numbers: readonly number[]) => numbers.reduce((a, b) => a + b, 0);
    expect(sum(perHour.flat())).toBe(sum(perDay));
    expect(sum(perDay)).toBeGreaterThan(17_500);
  },
);

test('runs before and after now do not overlap', () => {
  const { next, previous } = analyse('0 * * * *', 'UTC');
  expect(next[0]! > now && previous[0]! < now).toBe(true);
  expect([next.length, previous.length]).toEqual([8, 8]);
});

test('two expressions meet, or the second is wrong', () => {
  expect(analyse('0 9 * * 1-5', 'UTC', '0 9 1 * *').overlap?.count).toBe(8);
  expect(analyse('0 9 * * 1-5', 'UTC', '61 * * * *')).toMatchObject({
    overlap: null,
    secondFault: { field: 'minute' },
  });
  expect(analyse('0 9 * * 1-5', 'UTC', ' ')).toMatchObject({ overlap: null, secondFault: null });
});

test('a date that never comes is answered too', () => {
  const { next, changes, lints } = analyse('0 0 30 2 *');
  expect([next, changes]).toEqual([[], []]);
  expect(lints[0]?.message).toContain('never fires');
});
