import type { AlertRule } from '../../model/alert.js';
import type { RingEvents } from '../../model/events.js';
import type { Job } from '../../model/job.js';
import type { RunRow } from '../../model/run.js';
import { afterMsOf } from '../../schedule/alert-rules.js';
import { waitingMark } from '../../store/alert-store.js';
import type { JobStore, JobTransaction } from '../../store/job-store.js';
import type { AlertRecords } from './alert-records.js';
import { lateText, misfireText, type Trouble, waitingText } from './alert-text.js';
import { toldRun } from './end-alerts.js';

/** A run that starts. */
export interface StartedRun {
  readonly job: Job;
  readonly row: RunRow;
  readonly startedAt: number;
}

/** Records runs that start later than a rule allows. */
export async function recordLate(
  alerts: AlertRecords,
  trx: JobTransaction,
  starts: Iterable<StartedRun>,
): Promise<void> {
  const late: Trouble[] = [];
  for (const { job, row, startedAt } of starts) {
    const since = timeOf(row);
    if (since === null || startedAt <= since || !alerts.wants(job, 'late')) continue;
    const lateMs = startedAt - since;
    const rules = alerts.rulesOf(job).filter((rule) => rule.on === 'late' && lateMs >= afterMsOf(rule, alerts));
    const channels = rules.map(({ channel }) => channel);
    if (rules.length === 0) continue;
    late.push({ on: 'late', at: startedAt, job, run: toldRun(row), what: lateText(lateMs), channels });
  }
  if (late.length > 0) await alerts.record(trx, late);
}

/** When a run should have started. Manual runs for a past time and children, which keep the time of their origin, do not count as late. */
function timeOf({ dueAt, triggerType, scheduleTime }: RunRow): number | null {
  return dueAt ?? (triggerType === 'schedule' ? scheduleTime : null);
}

/** Records missed occurrences. */
export async function recordMisfires(
  alerts: AlertRecords,
  trx: JobTransaction,
  misfires: readonly { readonly job: Job; readonly misfire: RingEvents['job-misfired']; readonly at: number }[],
): Promise<void> {
  const wanted = misfires.filter(({ job }) => alerts.wants(job, 'misfire'));
  if (wanted.length === 0) return;
  await alerts.record(
    trx,
    wanted.map(({ job, at, misfire: { strategy, firstMissed, lastMissed } }) => ({
      ...{ on: 'misfire', at, job, run: null },
      what: misfireText(strategy, firstMissed, lastMissed),
    })),
  );
}

const MAX_RUNS_PER_LOOK = 100;
/** How long a reported run stays recorded. */
const TOLD_MS = 30 * 86_400_000;

/** Records runs that have waited longer than a rule allows, each once. `jobs`: the jobs with waiting runs. */
export async function recordWaiting(
  { alerts, store, time }: { alerts: AlertRecords; store: JobStore; time: { now(): number } },
  jobs: readonly Job[],
): Promise<void> {
  for (const job of jobs) {
    const rules = alerts.rulesOf(job).filter(({ on }) => on === 'run-waiting');
    for (const rule of rules) await store.transaction((trx) => recordWaitingRuns(alerts, trx, job, rule, time.now()));
    if (rules.length > 0) alerts.settle();
  }
}

async function recordWaitingRuns(
  alerts: AlertRecords,
  trx: JobTransaction,
  job: Job,
  rule: AlertRule,
  now: number,
): Promise<void> {
  const { channel } = rule;
  const readyBefore = now - afterMsOf(rule, alerts);
  const rows = await trx.longWaitingRuns({ jobId: job.id, channel, readyBefore, limit: MAX_RUNS_PER_LOOK });
  if (rows.length === 0) return;
  const marks = rows.map(({ id }) => ({ name: waitingMark(id, channel), owner: '', until: now + TOLD_MS }));
  const added = await trx.addMarks(marks);
  const told = rows.filter(({ id }) => added.has(waitingMark(id, channel)));
  await alerts.record(
    trx,
    told.map((row) => ({
      ...{ on: 'run-waiting', at: now, job, run: toldRun(row), channels: [channel] },
      what: waitingText(now - row.readyAt, row.waitingFor),
    })),
  );
}
