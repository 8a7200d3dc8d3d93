import type { Job } from '../../model/job.js';
import { type Logger, silentLogger } from '../../model/logger.js';
import type { RunRow, WaitingReason } from '../../model/run.js';
import type { RunEnd } from '../../store/job-store.js';

/** A logger that adds the node to each line. */
export function nodeLogger(log: Logger, nodeId: string): Logger {
  if (log === silentLogger) return log;
  return {
    debug: (facts, message) => log.debug({ nodeId, ...facts }, message),
    info: (facts, message) => log.info({ nodeId, ...facts }, message),
    warn: (facts, message) => log.warn({ nodeId, ...facts }, message),
    error: (facts, message) => log.error({ nodeId, ...facts }, message),
  };
}

type LoggedJob = Pick<Job, 'key'> | null | undefined;

/** Runs come in thousands: a line that is not logged is not built. */
export function logStart(log: Logger, row: RunRow, job: LoggedJob): void {
  if (log !== silentLogger) log.debug({ ...factsOf(row, job), address: row.address }, 'A run began');
}

/** A failure is a warning while another attempt follows it, an error when none does. */
export function logEnd(log: Logger, row: RunRow, end: RunEnd, job: LoggedJob, isRetried: boolean): void {
  if (log === silentLogger) return;
  const facts = factsOf(row, job);
  if (end.state !== 'failed') {
    const tookMs = row.startedAt === null ? null : end.endedAt - row.startedAt;
    log.debug({ ...facts, state: end.state, tookMs }, 'A run ended');
  } else if (isRetried) log.warn({ ...facts, err: errorOf(end) }, 'A run failed and is tried again');
  else log.error({ ...facts, err: errorOf(end) }, 'A run failed for good');
}

const MAX_IDS_PER_LINE = 20;

/** Logs one line for all runs that begin to wait together for the same reason. */
export function logWaiting(
  log: Logger,
  runs: readonly { readonly row: RunRow; readonly job: Job; readonly reason: WaitingReason }[],
): void {
  if (log === silentLogger) return;
  for (const reason of new Set(runs.map((run) => run.reason))) {
    const same = runs.filter((run) => run.reason === reason);
    const [first] = same;
    if (same.length === 1) log.info({ ...factsOf(first!.row, first!.job), reason }, 'A run waits');
    else {
      const runIds = same.slice(0, MAX_IDS_PER_LINE).map(({ row }) => row.id);
      log.info({ reason, runs: same.length, runIds }, 'Runs wait');
    }
  }
}

function factsOf({ id, jobId, attempt }: RunRow, job: LoggedJob) {
  return { jobId, jobKey: job?.key ?? null, runId: id, attempt };
}

/** The error that a handler threw, possibly in another process, as an error of this process. */
function errorOf({ error, message }: RunEnd): Error {
  const told = new Error(error?.message ?? message ?? 'failed');
  if (!error) {
    delete told.stack;
    return told;
  }
  told.name = error.name;
  if (error.stack !== '') told.stack = error.stack;
  return told;
}
