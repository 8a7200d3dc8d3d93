import type { EpochMs } from '@horae/clock-store';
import { type CronExpression, parseCron, tryNextOccurrence, tryPreviousOccurrence } from '@horae/cron-grammar';
import type { Schedule } from '../job.js';

/** The occurrences of a schedule, found by arithmetic: nothing walks. */
export interface Timetable {
  /** The first occurrence after `after`; null when there is none. */
  next(after: EpochMs): EpochMs | null;
  /** The last occurrence before `before`; null when there is none. */
  previous(before: EpochMs): EpochMs | null;
}

const never: Timetable = { next: () => null, previous: () => null };

/**
 * The timetable of a schedule. `gridAt` is any instant of a fix-rate's grid; cron needs none. Throws what the cron grammar throws when
 * the expression or its zone cannot be read.
 */
export function timetableOf(schedule: Schedule, zone: string, gridAt: EpochMs): Timetable {
  if (schedule.kind === 'none') return never;
  if (schedule.kind === 'fix-rate') return gridTimetable(gridAt, schedule.everyMs);
  const expression = readExpression(schedule.expression, schedule.dialect ?? 'quartz');
  const where = schedule.zone ?? zone;
  return {
    next: (after) => tryNextOccurrence(expression, after, where),
    previous: (before) => tryPreviousOccurrence(expression, before, where),
  };
}

function gridTimetable(gridAt: EpochMs, everyMs: number): Timetable {
  return {
    next: (after) => gridAt + (Math.floor((after - gridAt) / everyMs) + 1) * everyMs,
    previous: (before) => gridAt + (Math.ceil((before - gridAt) / everyMs) - 1) * everyMs,
  };
}

const expressions = new Map<string, CronExpression>();

/** Thousands of jobs share a few hundred expressions, and every pass reads all of them. */
function readExpression(text: string, dialect: 'posix' | 'quartz'): CronExpression {
  const key = `${dialect} ${text}`;
  let expression = expressions.get(key);
  if (expression === undefined) {
    expression = parseCron(text, { dialect });
    if (expressions.size >= 10_000) expressions.clear();
    expressions.set(key, expression);
  }
  return expression;
}
