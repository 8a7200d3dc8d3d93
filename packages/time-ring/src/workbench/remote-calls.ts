import type { EpochMs } from '@horae/clock-store';
import type { Assignment, Outcome } from './assignment.js';

/** Whether an executor took what it was sent; if not, why. */
export type RemoteAnswer =
  | { readonly ok: true }
  | {
      readonly ok: false;
      readonly message: string;
      /** It was not taken for a reason that passes: it can wait. Ours say so; for others every refusal is a failure. */
      readonly waitFor?: 'executor' | 'handler' | 'slot' | 'breaker';
      /** It was refused because another run of its job is under way there. */
      readonly isDiscarded?: true;
    };

/** Calls to executors on other machines. None of them rejects: no answer is an answer. */
export interface RemoteCalls {
  beat(address: string): Promise<boolean>;
  idleBeat(address: string, jobId: number): Promise<boolean>;
  /** Whether an executor has a run; executors of others know only whether they have any run of its job. */
  hasRun(address: string, run: { jobId: number; runId: number }): Promise<'there' | 'gone' | 'unanswered'>;
  run(address: string, assignment: Assignment, firedAt: EpochMs): Promise<RemoteAnswer>;
  kill(address: string, run: { jobId: number; runId: number }): Promise<RemoteAnswer>;
  /** Lines from `fromLine` (0 is the first) on; null when the executor cannot answer. */
  log(address: string, run: { runId: number; firedAt: EpochMs; fromLine: number }): Promise<LogLines | null>;
  breaker(address: string): 'closed' | 'open' | 'half-open';
  /** Whether any breaker is not closed. */
  hasBreakers(): boolean;
  /** The executor has said that it is there. */
  closeBreaker(address: string): void;
  close(): Promise<void>;
}

/** A result that an executor called back. */
export interface RemoteResult extends Outcome {
  readonly runId: number;
}

/** What an executor shows of a run's log. */
export interface LogLines {
  readonly lines: readonly string[];
  /** It says that there is more; executors of others may say so always. */
  readonly hasMore: boolean;
}
