import { isDeepStrictEqual } from 'node:util';
import type { EpochMs } from '@horae/clock-store';
import type { Job, JobSettings } from '../../model/job.js';
import type { JobTransaction } from '../../store/job-store.js';
import { beginJob } from './begun-job.js';
import { checkCalendars, rescheduled } from './calendar-service.js';
import { checkChildren } from './check-children.js';
import type { ServiceNode } from './service-node.js';

/** A job before and after a change. */
export interface JobChange {
  readonly before: Job;
  readonly after: Job;
}

/** Whether two values are the same JSON, whatever the order of keys. */
export function isSameJson(a: unknown, b: unknown): boolean {
  return isDeepStrictEqual(plain(a), plain(b));
}

function plain(value: unknown): unknown {
  return value === undefined ? null : JSON.parse(JSON.stringify(value));
}

/**
 * Applies new settings to a locked job: a new schedule withdraws the runs claimed under the old one and counts from now. Does not write
 * the result.
 */
export async function withSettings(
  node: ServiceNode,
  trx: JobTransaction,
  job: Job,
  settings: JobSettings,
  at: EpochMs,
): Promise<Job> {
  if (!isSameJson(settings.children, job.children)) await checkChildren(trx, job.id, settings.children);
  const isNewExcept = !isSameJson(settings.except, job.except);
  if (isNewExcept) await checkCalendars(trx, settings.except);
  const changed: Job = { ...job, ...settings, updatedAt: at };
  if (isSameJson(settings.schedule, job.schedule)) return isNewExcept ? rescheduled(node, trx, changed, at) : changed;
  await trx.withdrawRuns(job.id);
  return job.state === 'RUNNING' ? beginJob(node, trx, changed, at) : changed;
}

/** Reports the change of a job's settings, once it is durable. */
export function reportChange(
  { emitter }: ServiceNode,
  intake: { withdraw(jobId: number): void },
  { before, after }: JobChange,
): void {
  if (!isSameJson(before.schedule, after.schedule)) intake.withdraw(after.id);
  emitter.emit('job-updated', { job: after });
  if (before.state === after.state) return;
  emitter.emit(after.state === 'RUNNING' ? 'job-started' : 'job-stopped', { job: after });
}
