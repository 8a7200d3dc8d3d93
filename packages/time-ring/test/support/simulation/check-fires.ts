import type { EpochMs } from '@horae/clock-store';
import type { Job } from '../../../src/model/job.js';
import type { RunRow } from '../../../src/model/run.js';
import { timetableOf } from '../../../src/schedule/timetable.js';
import { type Breach, changesOf, groupBy, startsOf, toldOf } from './check-history.js';
import { MISFIRE_MS, PRE_READ_MS, STEADY_JOBS } from './history-plan.js';
import type { History } from './history-record.js';

/** Nodes may be off by a second, and a pass comes once a second. */
const MARGIN_MS = 4_000;

/** One fire a time that was due, none lost, none early, and misfires only where nobody looked for too long. */
export function checkFires(history: History): Breach[] {
  return [...twice(history), ...steadyJobs(history).flatMap((job) => lost(history, job)), ...early(history)];
}

function twice({ rows }: History): Breach[] {
  const scheduled = rows.filter(({ triggerType }) => triggerType === 'schedule');
  const groups = groupBy(scheduled, (row) => `job ${row.jobId} at ${row.scheduleTime} shard ${row.shardIndex}`);
  return [...groups]
    .filter(([, fires]) => fires.length > 1)
    .map(([key, fires]) => ({ rule: 'one-fire', message: `${key} has the runs ${fires.map(({ id }) => id)}` }));
}

function steadyJobs({ added }: History): Job[] {
  return [...added.values()].filter(({ id, nextAt }) => id <= STEADY_JOBS && nextAt !== null);
}

/** An occurrence is claimed by the first pass that sees it in its window, unless that pass is too late for it. */
function lost(history: History, job: Job): Breach[] {
  const claims = changesOf(history, 'claimed').filter(({ jobIds }) => jobIds.has(job.id));
  const rows = history.rows.filter(({ jobId }) => jobId === job.id);
  const claimed = rows.filter((row) => row.triggerType === 'schedule' && !isMissedTogether(row));
  const fired = new Set(claimed.map((row) => row.scheduleTime));
  const breaches: Breach[] = [];
  const misfiring = new Set<number>();
  for (const at of occurrences(job, history.endedAt - MARGIN_MS)) {
    const claim = claims.find(({ until }) => until >= at);
    const lateMs = claim === undefined ? null : claim.until - PRE_READ_MS - at;
    if (fired.has(at)) continue;
    if (lateMs === null) breaches.push({ rule: 'due-set', message: `job ${job.id} at ${at} was never looked at` });
    else if (lateMs <= MISFIRE_MS) {
      breaches.push({ rule: 'due-set', message: `job ${job.id} at ${at} was seen ${lateMs} ms late, and is lost` });
    } else misfiring.add(claim!.order);
  }
  return [...breaches, ...misfires(history, job, misfiring.size)];
}

/** However many were missed, each time that some were found missed fires once, or not at all. */
function misfires(history: History, job: Job, found: number): Breach[] {
  const rows = history.rows.filter(({ jobId, triggerType }) => jobId === job.id && triggerType === 'misfire');
  // What a busy executor discards is skipped too, but was not missed.
  const skips = changesOf(history, 'ended').filter(({ end }) => end.state === 'skipped' && end.code === null);
  const skipping = new Set(skips.filter(({ end }) => isOf(history, end.id, job.id)).map(({ end }) => end.endedAt));
  const fires = rows.filter(({ shardIndex, attempt }) => shardIndex === 0 && attempt === 1).length;
  const breaches: Breach[] = [];
  const expected = job.misfire === 'FIRE_ONCE_NOW' ? found : 0;
  const most = job.misfire === 'FIRE_ONCE_NOW' ? found + skipping.size : 0;
  if (fires < expected || fires > most) {
    breaches.push({ rule: 'misfire', message: `job ${job.id} has ${fires} misfire runs, not ${expected} to ${most}` });
  }
  const together = history.rows.filter((row) => row.jobId === job.id && isMissedTogether(row)).length;
  const rowsExpected = job.misfire === 'DO_NOTHING' ? found : 0;
  if (together !== rowsExpected) {
    breaches.push({
      rule: 'misfire',
      message: `job ${job.id} has ${together} rows for what was missed, not ${rowsExpected}`,
    });
  }
  const told = toldOf(history, ['job-misfired']).filter(({ event }) => event.jobId === job.id).length;
  if (history.plan.weather !== 'storm' && told + found + skipping.size > 0) {
    breaches.push({ rule: 'misfire', message: `job ${job.id} misfired although a node was there all the time` });
  }
  if (told > found + skipping.size) breaches.push({ rule: 'misfire', message: `job ${job.id}: told ${told} times` });
  return breaches;
}

/** The one row that stands for all occurrences that a pass has found missed. */
function isMissedTogether({ state, message }: RunRow): boolean {
  return state === 'skipped' && /^Missed (?:more than )?\d+ occurrence/.test(message ?? '');
}

function isOf({ rows }: History, runId: number, jobId: number): boolean {
  return rows.some((row) => row.id === runId && row.jobId === jobId);
}

function occurrences(job: Job, until: EpochMs): EpochMs[] {
  const timetable = timetableOf(job.schedule, 'UTC', job.nextAt!);
  const times: EpochMs[] = [];
  for (let at: EpochMs | null = job.nextAt; at !== null && at <= until; at = timetable.next(at)) times.push(at);
  return times;
}

function early(history: History): Breach[] {
  if (history.plan.hasClockSteps) return [];
  // A postponed run was due before, too.
  const retries = history.rows.filter(({ postponed }) => postponed === 0);
  const due = new Map(retries.flatMap(({ id, dueAt }) => (dueAt === null ? [] : [[id, dueAt] as const])));
  return startsOf(history).flatMap(({ context, nodeAt, trueAt }) => {
    const now = history.plan.hasSharedClock ? trueAt : nodeAt;
    const { triggerType, scheduleTime, runId } = context;
    const dueAt = due.get(runId) ?? (triggerType === 'schedule' ? scheduleTime! : now);
    return dueAt > now ? [{ rule: 'not-early', message: `run ${runId} of ${dueAt} began at ${now}` }] : [];
  });
}
