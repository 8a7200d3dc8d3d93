import type { EpochMs } from '@horae/clock-store';
import type { Assignment } from '../executor/assignment.js';

/** Whether an executor took what it was sent; if not, why. */
export type RemoteAnswer = { readonly ok: true } | { readonly ok: false; readonly message: string };

/** Calls to executors on other machines. None of them rejects: no answer is an answer. */
export interface RemoteCalls {
  beat(address: string): Promise<boolean>;
  idleBeat(address: string, jobId: number): Promise<boolean>;
  run(address: string, assignment: Assignment, firedAt: EpochMs): Promise<RemoteAnswer>;
  kill(address: string, run: { jobId: number; runId: number }): Promise<RemoteAnswer>;
  /** Lines from `fromLine` (0 is the first) on; none when the executor cannot answer. */
  log(address: string, run: { runId: number; firedAt: EpochMs; fromLine: number }): Promise<readonly string[]>;
  breaker(address: string): 'closed' | 'open' | 'half-open';
  close(): Promise<void>;
}

/** A result that an executor called back. */
export interface RemoteResult {
  readonly runId: number;
  readonly state: 'succeeded' | 'failed' | 'killed';
  readonly code: number;
  readonly message: string | null;
}
