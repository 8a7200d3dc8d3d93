import { resolveZone } from '@horae/clock-store';
import { type Interval, type IntervalOccurrences, intervalOccurrences } from '@horae/cron-grammar';
import type { Schedule } from '../model/job.js';
import { localInstant } from './local-instant.js';

type IntervalSchedule = Schedule & { kind: 'interval' };

const series = new Map<string, IntervalOccurrences>();
const MAX_SERIES = 10_000;

/** The occurrences of an interval, cached because every pass reads them. Throws when its anchor, zone or unit is invalid. */
export function intervalSeries(schedule: IntervalSchedule, zone: string): IntervalOccurrences {
  const where = schedule.zone ?? zone;
  const key = JSON.stringify([schedule.every, schedule.anchor, where]);
  let found = series.get(key);
  if (found === undefined) {
    const anchor = localInstant(schedule.anchor, where);
    if (anchor === null) throw new Error(`The anchor ${schedule.anchor} is no time in ${where}`);
    found = intervalOccurrences({ every: given(schedule) as unknown as Interval, anchor, zone: where });
    if (series.size >= MAX_SERIES) series.clear();
    series.set(key, found);
  }
  return found;
}

/** The first invalid field; null when all are valid. An omitted zone is checked as UTC, which has every local time. */
export function intervalProblem(schedule: IntervalSchedule): 'every' | 'anchor' | 'zone' | null {
  let zone = 'UTC';
  try {
    if (schedule.zone !== undefined) zone = resolveZone(schedule.zone);
  } catch {
    return 'zone';
  }
  const anchor = localInstant(schedule.anchor, zone);
  if (anchor === null) return 'anchor';
  try {
    intervalOccurrences({ every: given(schedule) as unknown as Interval, anchor, zone });
    return null;
  } catch {
    return 'every';
  }
}

/** The given units; an undefined unit is not given. */
function given({ every }: IntervalSchedule): Readonly<Record<string, number>> {
  return Object.fromEntries(Object.entries(every).filter(([, value]) => value !== undefined));
}
