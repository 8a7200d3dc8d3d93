import type { EpochMs } from '@horae/clock-store';
import type { Assignment, Outcome } from './assignment.js';

/** Whether an executor accepted a call; if not, why. */
export type RemoteAnswer =
  | { readonly ok: true }
  | {
      readonly ok: false;
      readonly message: string;
      /** The run was refused for a temporary reason and can wait. Horae's executors report it; for others every refusal is a failure. */
      readonly waitFor?: 'executor' | 'handler' | 'slot' | 'breaker';
      /** It was refused because another run of its job is under way there. */
      readonly isDiscarded?: true;
    };

/** Calls to executors on other machines. None of them rejects: a missing answer is a result too. */
export interface RemoteCalls {
  beat(address: string): Promise<boolean>;
  idleBeat(address: string, jobId: number): Promise<boolean>;
  /** Whether an executor has a run; third-party executors only report whether they have any run of its job. */
  hasRun(address: string, run: { jobId: number; runId: number }): Promise<'there' | 'gone' | 'unanswered'>;
  run(address: string, assignment: Assignment, firedAt: EpochMs): Promise<RemoteAnswer>;
  kill(address: string, run: { jobId: number; runId: number }): Promise<RemoteAnswer>;
  /** Lines from `fromLine` (0 is the first) on; null when the executor cannot answer. */
  log(address: string, run: { runId: number; firedAt: EpochMs; fromLine: number }): Promise<LogLines | null>;
  breaker(address: string): 'closed' | 'open' | 'half-open';
  /** Whether any breaker is not closed. */
  hasBreakers(): boolean;
  /** Closes the breaker of an executor that has sent a heartbeat. */
  closeBreaker(address: string): void;
  close(): Promise<void>;
}

/** A result that an executor reported. */
export interface RemoteResult extends Outcome {
  readonly runId: number;
}

/** The part of a run's log that an executor returns. */
export interface LogLines {
  readonly lines: readonly string[];
  /** The executor reports more lines; third-party executors may always do so. */
  readonly hasMore: boolean;
}
