import type { EpochMs } from '@horae/clock-store';
import type { Calendar } from '@horae/cron-grammar';
import type { Job } from '../model/job.js';
import { classifyDue } from './classify-due.js';
import { dueTime } from './jitter.js';
import { countIn, timetableOf } from './timetable.js';

/** An occurrence that becomes a run: a late one is fired at once, the others go into the ring. */
export interface PlannedOccurrence {
  readonly at: EpochMs;
  /** Its schedule time, or later by the job's jitter. */
  readonly dueAt: EpochMs;
}

/** All occurrences that were found too late, together. */
export interface MissedOccurrences {
  readonly first: EpochMs;
  readonly last: EpochMs;
  readonly count: number;
}

/** The decisions of one pass about one due job. */
export interface JobPlan {
  readonly occurrences: readonly PlannedOccurrence[];
  readonly missed: MissedOccurrences | null;
  readonly lastAt: EpochMs | null;
  /** Null without a stop: a fix-delay job, whose next time is determined when its fire is over. */
  readonly nextAt: EpochMs | null;
  /** The engine stops the job: it has no occurrence left, or its schedule is invalid. */
  readonly stop: { readonly code: 'no-next-time' | 'bad-schedule'; readonly message: string } | null;
}

export interface PlanLimits {
  readonly zone: string;
  readonly preReadMs: number;
  readonly misfireMs: number;
}

const NO_TIME_LEFT = { code: 'no-next-time', message: 'The schedule has no time left' } as const;

/**
 * Classifies every occurrence of a due job separately: too late, late, or within the window ahead. However long the job was not visited,
 * this takes as many steps as the window has occurrences. `calendars` returns those that the job names; it may throw.
 */
export function planJob(
  job: Job,
  now: EpochMs,
  limits: PlanLimits,
  calendars: (names: readonly string[]) => readonly Calendar[] = () => [],
): JobPlan {
  try {
    if (job.schedule.kind === 'once') return planOnce(job, job.schedule.at);
    if (job.schedule.kind === 'fix-delay')
      return planDelay(job, job.schedule.everyMs, now, limits, calendars(job.except));
    return planTimes(job, now, limits, calendars(job.except));
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { ...nothing(job), stop: { code: 'bad-schedule', message } };
  }
}

function planTimes(job: Job, now: EpochMs, limits: PlanLimits, except: readonly Calendar[]): JobPlan {
  const { zone, preReadMs, misfireMs } = limits;
  const timetable = timetableOf(job.schedule, zone, job.nextAt!, except);
  // A calendar may have excluded the time since it was stored.
  let at = except.length === 0 ? job.nextAt! : timetable.next(job.nextAt! - 1);
  const missed = new Missed();
  // Whatever their jitter, occurrences before this were missed.
  const cut = now - misfireMs - job.jitterMs;
  if (at !== null && at < cut) {
    const last = timetable.previous(cut) ?? at;
    missed.add(at, last, countIn(timetable, at, cut));
    at = timetable.next(cut - 1);
  }
  const occurrences: PlannedOccurrence[] = [];
  while (at !== null && at <= now + preReadMs) {
    const dueAt = dueTime(job, at);
    if (classifyDue(now, dueAt, misfireMs) === 'misfire') missed.add(at, at, 1);
    else occurrences.push({ at, dueAt });
    at = timetable.next(at);
  }
  const lastAt = occurrences.at(-1)?.at ?? job.lastAt;
  return {
    occurrences,
    missed: missed.all,
    lastAt,
    nextAt: at,
    stop: at === null ? NO_TIME_LEFT : null,
  };
}

/** A job started in time runs, however late it is found; one started too late has a different next time, and is missed. */
function planOnce(job: Job, at: EpochMs): JobPlan {
  const isInTime = job.nextAt === at;
  const dueAt = dueTime(job, at);
  return {
    occurrences: isInTime ? [{ at, dueAt }] : [],
    missed: isInTime ? null : { first: at, last: at, count: 1 },
    lastAt: at,
    nextAt: null,
    stop: NO_TIME_LEFT,
  };
}

/** The end of the fire determines when the next is due. Without a fire it is counted from now. */
function planDelay(
  job: Job,
  everyMs: number,
  now: EpochMs,
  { zone, misfireMs }: PlanLimits,
  except: readonly Calendar[],
): JobPlan {
  const at = job.nextAt!;
  const free = except.length === 0 ? at : timetableOf(job.schedule, zone, at, except).next(at - 1);
  if (free !== at) return { ...nothing(job), nextAt: free, stop: free === null ? NO_TIME_LEFT : null };
  const dueAt = dueTime(job, at);
  const isMissed = classifyDue(now, dueAt, misfireMs) === 'misfire';
  return {
    occurrences: isMissed ? [] : [{ at, dueAt }],
    missed: isMissed ? { first: at, last: at, count: 1 } : null,
    lastAt: isMissed ? job.lastAt : at,
    nextAt: isMissed && job.misfire === 'DO_NOTHING' ? now + everyMs : null,
    stop: null,
  };
}

/** Combines the missed occurrences. */
class Missed {
  all: MissedOccurrences | null = null;

  add(first: EpochMs, last: EpochMs, count: number): void {
    const { all } = this;
    this.all = { first: all?.first ?? first, last, count: (all?.count ?? 0) + count };
  }
}

function nothing(job: Job) {
  return { occurrences: [], missed: null, lastAt: job.lastAt, nextAt: null };
}
