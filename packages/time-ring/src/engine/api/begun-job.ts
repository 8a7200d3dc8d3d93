import type { EpochMs } from '@horae/clock-store';
import type { Calendar } from '@horae/cron-grammar';
import type { Job } from '../../model/job.js';
import { timetableOf } from '../../schedule/timetable.js';
import type { JobTransaction } from '../../store/job-store.js';
import { calendarsFor } from '../node/calendar-book.js';
import type { ServiceNode } from './service-node.js';

/**
 * The job as it is after a start: at its first occurrence after `at`, or stopped because there is none. A fix-delay job that has a fire
 * under way waits for its end.
 */
export async function beginJob(node: ServiceNode, trx: JobTransaction, job: Job, at: EpochMs): Promise<Job> {
  const { zone, misfireMs } = node.options;
  if (job.schedule.kind === 'fix-delay' && (await trx.hasOpenFires(job.id))) return running(job, null);
  const calendars = job.except.length === 0 ? () => [] : await calendarsFor(trx, [job], zone);
  return begun(job, at, { zone, misfireMs, except: calendars(job.except) });
}

function begun(
  job: Job,
  at: EpochMs,
  { zone, misfireMs, except }: { zone: string; misfireMs: number; except: readonly Calendar[] },
): Job {
  const { schedule } = job;
  if (schedule.kind === 'once') {
    if (job.lastAt === schedule.at) return stopped(job);
    // A next time that differs from its schedule marks that it was started too late.
    return running(job, at - schedule.at > misfireMs ? at : schedule.at);
  }
  const nextAt = timetableOf(schedule, zone, at, except).next(at);
  return nextAt === null ? stopped(job) : running(job, nextAt);
}

function running(job: Job, nextAt: EpochMs | null): Job {
  return { ...job, state: 'RUNNING', stopReason: null, nextAt };
}

function stopped(job: Job): Job {
  const stopReason = { code: 'no-next-time', message: 'The schedule has no time left' } as const;
  return { ...job, state: 'STOPPED', stopReason, nextAt: null };
}
