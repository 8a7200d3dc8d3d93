import type { EpochMs } from '@horae/clock-store';
import type { BlockStrategy, Job } from '../job.js';
import type { RunRow, TriggerType } from '../run.js';

/** A run as an executor gets it: all it needs to know, whichever way it came. */
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
  readonly block: BlockStrategy;
  readonly concurrency: number;
  readonly timeoutMs: number | null;
  /** The fence under which a ring in the same process has the run; it does not travel. */
  readonly fence?: number;
}

/** How a run ended on its executor. */
export interface Outcome {
  readonly state: 'succeeded' | 'failed' | 'killed';
  readonly code: number;
  readonly message: string | null;
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

export function assignmentOf(job: Job, run: RunRow, shardTotal: number): Assignment {
  return {
    runId: run.id,
    fireId: run.fireId,
    jobId: job.id,
    handler: job.handler,
    params: run.params,
    scheduleTime: run.scheduleTime,
    triggerType: run.triggerType,
    shardIndex: run.shardIndex,
    shardTotal,
    attempt: run.attempt,
    block: job.block,
    concurrency: job.concurrency,
    timeoutMs: job.timeoutMs,
    fence: run.fence,
  };
}
