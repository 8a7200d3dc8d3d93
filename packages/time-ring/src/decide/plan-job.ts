import type { EpochMs } from '@horae/clock-store';
import type { Job } from '../job.js';
import { classifyDue } from './classify-due.js';
import { timetableOf } from './timetable.js';

/** What one pass does with one due job. */
export interface JobPlan {
  readonly jobId: number;
  /** Occurrences that become runs: the late ones are fired at once, the others go into the ring. */
  readonly occurrences: readonly { readonly at: EpochMs; readonly kind: 'direct' | 'ring' }[];
  /** What was found too late, all of it together. */
  readonly missed: { readonly first: EpochMs; readonly last: EpochMs } | null;
  readonly lastAt: EpochMs | null;
  readonly nextAt: EpochMs | null;
  /** The engine stops the job: nothing is left to come, or its schedule cannot be read. */
  readonly stop: { readonly code: 'no-next-time' | 'bad-schedule'; readonly message: string } | null;
}

export interface PlanLimits {
  readonly zone: string;
  readonly preReadMs: number;
  readonly misfireMs: number;
}

/**
 * Judges every occurrence of a due job by itself: too late, late, or within the window ahead. However long the job was not looked
 * at, this takes as many steps as the window has occurrences.
 */
export function planJob(job: Job, now: EpochMs, limits: PlanLimits): JobPlan {
  try {
    return readPlan(job, now, limits);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { ...nothing(job), stop: { code: 'bad-schedule', message } };
  }
}

function readPlan(job: Job, now: EpochMs, { zone, preReadMs, misfireMs }: PlanLimits): JobPlan {
  const first = job.nextAt!;
  const timetable = timetableOf(job.schedule, zone, first);
  const windowEnd = now + preReadMs;
  const isMissed = classifyDue(now, first, misfireMs) === 'misfire';
  const missed = isMissed ? { first, last: timetable.previous(now - misfireMs) ?? first } : null;
  const occurrences: { at: EpochMs; kind: 'direct' | 'ring' }[] = [];
  let at = isMissed ? timetable.next(now - misfireMs - 1) : first;
  while (at !== null && at <= windowEnd) {
    occurrences.push({ at, kind: at > now ? 'ring' : 'direct' });
    at = timetable.next(at);
  }
  const lastAt = occurrences.at(-1)?.at ?? job.lastAt;
  const stop = at === null ? ({ code: 'no-next-time', message: 'The schedule has no time left' } as const) : null;
  return { jobId: job.id, occurrences, missed, lastAt, nextAt: at, stop };
}

function nothing(job: Job) {
  return { jobId: job.id, occurrences: [], missed: null, lastAt: job.lastAt, nextAt: null };
}
