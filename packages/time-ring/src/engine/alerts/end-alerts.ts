import type { Job } from '../../model/job.js';
import type { RunRow } from '../../model/run.js';
import type { JobTransaction, RunEnd } from '../../store/job-store.js';
import type { AlertRecords } from './alert-records.js';
import { failedText, type ToldRun, type Trouble } from './alert-text.js';

/** An ended run whose job has alert rules for that. */
export interface WatchedEnd {
  readonly row: RunRow;
  readonly end: RunEnd;
  readonly job: Job;
  /** Another attempt follows. */
  readonly isRetried: boolean;
}

/** Whether the ends of a job's runs cause alerts, so that two shards which end at once must see each other. */
export function watchesEnds(alerts: AlertRecords | undefined, job: Job): boolean {
  return alerts !== undefined && (alerts.wants(job, 'fire-failed') || alerts.wants(job, 'fire-recovered'));
}

/** Records fires that failed for good, and the first success after one. */
export async function recordEnds(
  alerts: AlertRecords,
  trx: JobTransaction,
  watched: readonly WatchedEnd[],
): Promise<void> {
  if (watched.length === 0) return;
  const failed: WatchedEnd[] = [];
  for (const run of watched) if (await isFireFailed(trx, run)) failed.push(run);
  const succeeded: WatchedEnd[] = [];
  for (const run of watched) if (await isFireSucceeded(trx, run)) succeeded.push(run);
  await alerts.markFailing(
    trx,
    failed.map(({ job }) => job),
    failed[0]?.end.endedAt ?? 0,
  );
  // For a job whose fires failed and succeeded in the same batch, the order of their ends decides.
  const latest = new Map<number, WatchedEnd>();
  for (const run of succeeded) {
    const isLater = failed.every(({ job, end }) => job.id !== run.job.id || end.endedAt <= run.end.endedAt);
    if (isLater && !latest.has(run.job.id)) latest.set(run.job.id, run);
  }
  const recovered = await alerts.takeFailing(
    trx,
    [...latest.values()].map(({ job }) => job),
  );
  await alerts.record(trx, failed.map(failureOf));
  await alerts.record(
    trx,
    recovered.map((job) => recoveryOf(latest.get(job.id)!)),
  );
}

/** A fire of several shards fails with the first shard that has no attempt left. */
async function isFireFailed(trx: JobTransaction, { row, end, isRetried }: WatchedEnd): Promise<boolean> {
  if (end.state !== 'failed' || isRetried) return false;
  if (row.shardTotal === 1) return true;
  const runs = await trx.lockFire(row.fireId);
  return !runs.some(
    (other) =>
      other.id !== row.id &&
      other.state === 'failed' &&
      other.shardIndex !== row.shardIndex &&
      !runs.some(({ shardIndex, attempt }) => shardIndex === other.shardIndex && attempt > other.attempt),
  );
}

async function isFireSucceeded(trx: JobTransaction, { row, end }: WatchedEnd): Promise<boolean> {
  if (end.state !== 'succeeded') return false;
  if (row.shardTotal === 1) return true;
  const done = (await trx.lockFire(row.fireId)).filter(({ state }) => state === 'succeeded');
  return new Set(done.map(({ shardIndex }) => shardIndex)).size >= row.shardTotal;
}

function failureOf({ row, end, job }: WatchedEnd): Trouble {
  const run = toldRun(row, end.message);
  return { on: 'fire-failed', at: end.endedAt, job, run, what: failedText(run) };
}

function recoveryOf({ row, end, job }: WatchedEnd): Trouble {
  return { on: 'fire-recovered', at: end.endedAt, job, run: toldRun(row, end.message), what: '' };
}

/** The part of a run that goes into an alert, with this message. */
export function toldRun(row: RunRow, message = row.message): ToldRun {
  return { id: row.id, fireId: row.fireId, attempt: row.attempt, scheduleTime: row.scheduleTime, message };
}
