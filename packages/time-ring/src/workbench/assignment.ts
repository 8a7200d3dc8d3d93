import type { EpochMs } from '@horae/clock-store';
import type { BlockStrategy, Job } from '../model/job.js';
import type { RunError, RunProgress, RunRow, TriggerType } from '../model/run.js';

/** A run as an executor receives it, in process or over HTTP, with all facts that it needs. */
export interface Assignment {
  readonly runId: number;
  readonly fireId: number;
  readonly jobId: number;
  readonly handler: string;
  readonly params: unknown;
  readonly scheduleTime: EpochMs | null;
  readonly triggerType: TriggerType;
  readonly shardIndex: number;
  readonly shardTotal: number;
  readonly attempt: number;
  readonly isLastAttempt: boolean;
  /** The key of the job; another scheduler may not send it. */
  readonly jobKey: string | null;
  readonly jobName: string;
  readonly block: BlockStrategy;
  readonly concurrency: number;
  readonly timeoutMs: number | null;
  /** The trace that the run belongs to; null or missing: it is not traced. */
  readonly trace?: string | null;
  /** The fence under which a ring in the same process owns the run; it is not sent over HTTP. */
  readonly fence?: number;
}

/** How a run ended on its executor. */
export interface Outcome {
  readonly state: 'succeeded' | 'failed' | 'killed' | 'skipped';
  readonly code: number;
  readonly message: string | null;
  /** The value the handler returned; null: none. */
  readonly result?: unknown;
  readonly error?: RunError | null;
  /** Its last progress report, if that is not recorded yet. */
  readonly progress?: RunProgress | null;
  /** The handler requests the same attempt again after this time; a failure when it has done so too often. */
  readonly retryAfterMs?: number;
  /** The traceparent of the span around the handler. */
  readonly trace?: string;
  /** A failure after which no further attempt can succeed. */
  readonly isFinal?: true;
}

export const SUCCESS = 200;
export const FAILURE = 500;
export const TIMEOUT = 502;

export function failure(message: string, code = FAILURE): Outcome {
  return { state: 'failed', code, message };
}

export function killed(message: string): Outcome {
  return { state: 'killed', code: FAILURE, message };
}

export function discarded(): Outcome {
  return { state: 'skipped', code: FAILURE, message: 'Discarded: another run of the job is under way' };
}

export function assignmentOf(job: Job, run: RunRow): Assignment {
  return {
    runId: run.id,
    fireId: run.fireId,
    jobId: job.id,
    handler: job.handler,
    params: run.params,
    scheduleTime: run.scheduleTime,
    triggerType: run.triggerType,
    shardIndex: run.shardIndex,
    shardTotal: run.shardTotal,
    attempt: run.attempt,
    isLastAttempt: run.isLastAttempt,
    jobKey: job.key,
    jobName: job.name,
    block: job.block,
    concurrency: job.concurrency,
    timeoutMs: job.timeoutMs,
    trace: run.trace,
    fence: run.fence,
  };
}
