import { resolveZone } from '@horae/clock-store';
import { type Calendar, type CronExpression, countOccurrences } from '@horae/cron-grammar';
import { DateTime } from 'luxon';
import { wholeNumber } from '../arguments/number-argument.js';
import { CommandInputError } from '../frame/command-errors.js';
import { defineCommand } from '../frame/define-command.js';
import { cronArguments, expressionOf, zoneArgument } from './cron-arguments.js';
import { calendarsOf, exceptArgument } from './except-argument.js';

export const calendar = defineCommand({
  name: 'horae cron calendar',
  about: 'A calendar with the number of occurrences of each day',
  args: {
    ...cronArguments,
    ...zoneArgument,
    month: { type: 'string', alias: 'm', description: 'The first month, this one by default', valueHint: 'YYYY-MM' },
    months: { type: 'string', alias: 'n', description: 'How many months, 1 by default', valueHint: 'number' },
    except: exceptArgument,
  },
  examples: [
    { line: 'horae cron calendar "0 9 * * 1-5"', does: 'this month' },
    {
      line: 'horae cron calendar "30 2 * * *" --zone Europe/Berlin --month 2026-01 --months 12',
      does: 'a year, with its clock changes',
    },
  ],
  async run(args, { clock }) {
    const zone = resolveZone(args.zone);
    const count = wholeNumber('--months', args.months, { fallback: 1, least: 1, most: 1200 });
    const first = firstMonth(args.month, DateTime.fromMillis(clock.now(), { zone }));
    const expression = await expressionOf(args);
    const countOf = countIn(expression, zone, await calendarsOf(args.except));
    const months = Array.from({ length: count }, (_, i) => monthOf(first.plus({ months: i }), countOf));
    const text = months.map(({ month, days }) => drawMonth(month, days)).join('\n\n');
    return { json: { expression: expression.text, zone, months }, text };
  },
});

interface Day {
  readonly date: string;
  readonly count: number;
}

function firstMonth(text: string | undefined, now: DateTime): DateTime {
  if (text === undefined) return now.startOf('month');
  const month = /^\d{4}-\d{2}$/.test(text) ? DateTime.fromISO(text, { zone: now.zone }) : null;
  if (month?.isValid === true) return month.startOf('month');
  throw new CommandInputError(`--month is no month: "${text}"`, { hint: 'write it as 2026-03', value: text });
}

/** Counts the occurrences between two instants. */
type CountOf = (from: DateTime, to: DateTime) => number;

function countIn(expression: CronExpression, zone: string, except: readonly Calendar[]): CountOf {
  return (from, to) => countOccurrences(expression, from.toMillis(), to.toMillis(), zone, { except });
}

function monthOf(start: DateTime, countOf: CountOf): { month: string; days: Day[] } {
  const days: Day[] = [];
  for (let day = start; day.month === start.month; day = day.plus({ days: 1 }).startOf('day')) {
    const end = day.plus({ days: 1 }).startOf('day');
    days.push({ date: day.toISODate()!, count: countOf(day, end) });
  }
  return { month: start.toFormat('yyyy-MM'), days };
}

/** Weeks from Monday to Sunday; a day without occurrences shows a dot. */
function drawMonth(month: string, days: readonly Day[]): string {
  const width = Math.max(3, ...days.map(({ count }) => String(count).length));
  const cell = (text: string) => text.padStart(width + 4);
  const head = ['Mo', 'Tu', 'We', 'Th', 'Fr', 'Sa', 'Su'].map(cell).join('');
  const cells = days.map(({ date, count }) => cell(`${Number(date.slice(8))}:${count === 0 ? '.' : count}`));
  const before = Array.from({ length: DateTime.fromISO(days[0]!.date).weekday - 1 }, () => cell(''));
  const all = [...before, ...cells];
  const weeks = Array.from({ length: Math.ceil(all.length / 7) }, (_, week) =>
    all.slice(week * 7, week * 7 + 7).join(''),
  );
  const total = days.reduce((sum, { count }) => sum + count, 0);
  return [`${month}  ${total} in all`, head, ...weeks].join('\n');
}
