import type { EpochMs } from '@horae/clock-store';
import {
  type Calendar,
  type CronExpression,
  countOccurrences,
  parseCron,
  tryNextOccurrence,
  tryPreviousOccurrence,
} from '@horae/cron-grammar';
import type { Schedule } from '../model/job.js';
import { exceptTimes, withinYears } from './except-times.js';
import { intervalSeries } from './interval-timetable.js';
import type { Timetable } from './times.js';

const never: Timetable = { next: () => null, previous: () => null, count: () => 0 };

/**
 * The timetable of a schedule, without the times of the calendars. `gridAt` is any instant of a fix-rate's or fix-delay's grid; the others
 * need none. Throws the cron grammar's error when the expression, the interval or its zone is invalid. Where calendars leave no occurrence
 * within four years, none is left; `once` ignores calendars.
 */
export function timetableOf(
  schedule: Schedule,
  zone: string,
  gridAt: EpochMs,
  except: readonly Calendar[] = [],
): Timetable {
  switch (schedule.kind) {
    case 'none':
      return never;
    case 'once':
      return onceTimetable(schedule.at);
    case 'fix-rate':
    case 'fix-delay':
      return exceptTimes(gridTimetable(gridAt, schedule.everyMs), zone, except);
    case 'interval':
      return exceptTimes(intervalSeries(schedule, zone), schedule.zone ?? zone, except);
    case 'cron':
      return cronTimetable(schedule, zone, except);
  }
}

function cronTimetable(
  { expression: text, dialect = 'quartz', zone: own }: Schedule & { kind: 'cron' },
  zone: string,
  except: readonly Calendar[],
): Timetable {
  const expression = readExpression(text, dialect);
  const where = own ?? zone;
  const options = { except };
  const timetable: Timetable = {
    next: (after) => tryNextOccurrence(expression, after, where, options),
    previous: (before) => tryPreviousOccurrence(expression, before, where, options),
    count: (from, to) => countOccurrences(expression, from, to, where, options),
  };
  return except.length === 0 ? timetable : withinYears(timetable);
}

function onceTimetable(at: EpochMs): Timetable {
  return {
    next: (after) => (at > after ? at : null),
    previous: (before) => (at < before ? at : null),
    count: (from, to) => (from <= at && at < to ? 1 : 0),
  };
}

function gridTimetable(gridAt: EpochMs, everyMs: number): Timetable {
  const next = (after: EpochMs) => gridAt + (Math.floor((after - gridAt) / everyMs) + 1) * everyMs;
  return {
    next,
    previous: (before) => gridAt + (Math.ceil((before - gridAt) / everyMs) - 1) * everyMs,
    count: (from, to) => Math.max(0, Math.round((next(to - 1) - next(from - 1)) / everyMs)),
  };
}

/** The limit of a count that must iterate. */
export const MAX_COUNT = 10_000;

/** How many occurrences lie in `[from, to)`; one more than `MAX_COUNT` when there are more and they must be counted by iteration. */
export function countIn(timetable: Timetable, from: EpochMs, to: EpochMs): number {
  if (timetable.count !== undefined) return timetable.count(from, to);
  let count = 0;
  for (let at = timetable.next(from - 1); at !== null && at < to && count <= MAX_COUNT; at = timetable.next(at)) {
    count += 1;
  }
  return count;
}

const expressions = new Map<string, CronExpression>();

/** Thousands of jobs share a few hundred expressions, and every pass reads all of them. */
function readExpression(text: string, dialect: 'posix' | 'vixie' | 'quartz'): CronExpression {
  const key = `${dialect} ${text}`;
  let expression = expressions.get(key);
  if (expression === undefined) {
    expression = parseCron(text, { dialect });
    if (expressions.size >= 10_000) expressions.clear();
    expressions.set(key, expression);
  }
  return expression;
}
