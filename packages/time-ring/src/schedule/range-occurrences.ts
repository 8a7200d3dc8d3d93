import type { EpochMs } from '@horae/clock-store';
import type { Calendar } from '@horae/cron-grammar';
import { TimeRingError } from '../model/errors.js';
import type { Schedule } from '../model/job.js';
import { timetableOf } from './timetable.js';

const MAX_OCCURRENCES = 10_000;

/** The occurrences of a schedule in `[from, to)`, ascending; a fix-rate's grid begins at `from`. */
export function occurrencesIn(
  schedule: Schedule,
  zone: string,
  range: { from: EpochMs; to: EpochMs; limit?: number },
  except: readonly Calendar[] = [],
): { times: readonly EpochMs[]; truncated: boolean } {
  const { from, to, limit } = readRange(range);
  const timetable = timetableOf(schedule, zone, from, except);
  const times: EpochMs[] = [];
  for (let at = timetable.next(from - 1); at !== null && at < to; at = timetable.next(at)) {
    if (times.length === limit) return { times, truncated: true };
    times.push(at);
  }
  return { times, truncated: false };
}

function readRange(range: { from: EpochMs; to: EpochMs; limit?: number }) {
  const { from, to, limit = 100 } = range ?? {};
  if (!Number.isSafeInteger(from)) throw badRange('from', from, 'a time in epoch milliseconds');
  if (!Number.isSafeInteger(to)) throw badRange('to', to, 'a time in epoch milliseconds');
  if (from >= to) throw badRange('to', to, `after from (${from})`);
  if (!Number.isSafeInteger(limit) || limit < 1 || limit > MAX_OCCURRENCES) {
    throw badRange('limit', limit, `a whole number from 1 to ${MAX_OCCURRENCES}`);
  }
  return { from, to, limit };
}

function badRange(field: string, value: unknown, wanted: string): TimeRingError {
  return new TimeRingError('bad-range', `${field} must be ${wanted}; got ${String(value)}`, { field, value });
}
