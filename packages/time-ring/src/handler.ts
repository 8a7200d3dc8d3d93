import type { EpochMs } from '@horae/clock-store';
import type { TriggerType } from './run.js';

/** The code of a job on an executor. Resolving is success, throwing is failure; a returned text becomes the run's message. */
export type Handler = (context: RunContext) => unknown | Promise<unknown>;

/** What a handler is told about its run. */
export interface RunContext {
  jobId: number;
  runId: number;
  /** The same for every attempt at one fire: use it as the idempotency key. */
  fireId: number;
  params: unknown;
  scheduleTime: EpochMs | null;
  triggerType: TriggerType;
  shardIndex: number;
  shardTotal: number;
  attempt: number;
  /** Aborted by the time limit, a kill, COVER, or the deadline of a stop. */
  signal: AbortSignal;
  /** Adds a line to the run's log. */
  log(line: string): void;
}
