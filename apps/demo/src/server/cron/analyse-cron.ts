import {
  type CronDialect,
  type CronExpression,
  countOccurrences,
  describeCron,
  formatCron,
  type InvalidCronExpressionError,
  lintCron,
  neverFires,
  occurrences,
  overlap,
  tryParseCron,
} from 'horae/cron';
import { DateTime } from 'luxon';
import type { ClockChangeDay, CronAnalysis, CronFaultView, CronRefusal } from '../../wire/cron.js';
import { clockReading, type LocalDay, localDays, localHour, offsetChange } from './local-year.js';

export interface CronQuestion {
  readonly expression: string;
  readonly dialect: CronDialect;
  readonly zone: string;
  readonly now: number;
  readonly second?: string;
}

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const SHOWN_RUNS = 8;
const SHOWN_READINGS = 12;

/** Everything the cron lab shows of an expression, or where and why it is wrong. */
export function analyseCron(question: CronQuestion): CronAnalysis | CronRefusal {
  const { expression, dialect, zone, now, second = '' } = question;
  const parsed = tryParseCron(expression, { dialect });
  if (!parsed.ok) return { ok: false, fault: faultOf(parsed.error) };
  const { value } = parsed;
  const { year } = DateTime.fromMillis(now, { zone });
  const days = localDays(year, zone);
  const other = second.trim() === '' ? null : tryParseCron(second, { dialect });
  return {
    ok: true,
    canonical: formatCron(value),
    words: describeCron(value),
    next: [...occurrences(value, { from: now + 1, zone, limit: SHOWN_RUNS })],
    previous: [...occurrences(value, { from: now, zone, direction: 'backward', limit: SHOWN_RUNS })],
    year,
    perDay: days.map(({ start, end }) => countOccurrences(value, start, end, zone)),
    firstWeekday: days[0]!.weekday,
    perHour: weekOfHours(value, days, zone),
    changes: neverFires(value) ? [] : changesOf(value, days, zone),
    lints: lintCron(value, { zone, from: days[0]!.start }).map(({ severity, message }) => ({ severity, message })),
    overlap:
      other?.ok === true ? overlap(value, other.value, { from: days[0]!.start, to: days.at(-1)!.end, zone }) : null,
    secondFault: other?.ok === false ? faultOf(other.error) : null,
  };
}

function faultOf({ details }: InvalidCronExpressionError): CronFaultView {
  const { field, reason, column, length, suggestion } = details;
  return { message: reason, field, column, length: Math.max(1, length), suggestion: suggestion ?? null };
}

function weekOfHours(value: CronExpression, days: readonly LocalDay[], zone: string): number[][] {
  const week = Array.from({ length: 7 }, () => new Array<number>(24).fill(0));
  for (const { start, end, weekday } of days) {
    for (let at = start, hour = 0; at < end; at += HOUR, hour++) {
      const local = end - start === DAY ? hour : localHour(at, zone);
      week[weekday]![local]! += countOccurrences(value, at, Math.min(end, at + HOUR), zone);
    }
  }
  return week;
}

/** The days that are not 24 hours long, with the runs on them beside those of the day before. */
function changesOf(value: CronExpression, days: readonly LocalDay[], zone: string): ClockChangeDay[] {
  return days.flatMap((day, i) => {
    const length = day.end - day.start;
    if (length === DAY) return [];
    const before = days[i - 1] ?? days[i + 1]!;
    const runs = [...occurrences(value, { from: day.start, to: day.end, zone, limit: SHOWN_READINGS })];
    return [
      {
        date: day.date,
        kind: length < DAY ? ('skipped' as const) : ('repeated' as const),
        change: offsetChange(day, zone),
        runs: runs.map((at) => clockReading(at, zone)),
        usual: countOccurrences(value, before.start, before.end, zone),
      },
    ];
  });
}
