import type { CronDialectName } from './cron.js';

/** The behaviour of a task's work when it runs, changed with a click. */
export type Behaviour = 'succeeds' | 'fails' | 'flaky';

/** A task as it is declared: the list of these is complete. */
export interface DeclaredTask {
  readonly name: string;
  readonly cron: string;
  /** The language of `cron`; POSIX when left out. */
  readonly dialect?: CronDialectName | undefined;
  readonly retryDelayMs: number;
  readonly behaviour: Behaviour;
  /** How long its work takes. */
  readonly worksMs: number;
}

export interface TaskRow extends DeclaredTask {
  readonly words: string;
  readonly state: 'AwaitingRun' | 'Running' | 'AwaitingRetry';
  readonly origin: 'new' | 'preserved' | 'overridden' | 'orphaned';
  readonly lastAttemptAt: number | null;
  readonly lastSuccessAt: number | null;
  readonly lastFailureAt: number | null;
  readonly pendingRetryUntil: number | null;
  readonly nextDueAt: number | null;
}

export interface TraceLine {
  readonly index: number;
  readonly event: string;
  readonly at: number;
  readonly taskName: string | null;
  readonly detail: string;
}

export interface TraceVerdict {
  readonly events: number;
  readonly broken: readonly { readonly rule: string; readonly message: string }[];
}

export interface TasksSnapshot {
  /** `elsewhere`: another process runs the tasks of this file. */
  readonly status: 'running' | 'restarting' | 'elsewhere';
  readonly zone: string;
  readonly tasks: readonly TaskRow[];
  /** Names that the latest registration left out: they are removed. */
  readonly forgotten: readonly string[];
  readonly trace: readonly TraceLine[];
  readonly verdict: TraceVerdict;
}

export interface TaskExplanation {
  readonly sentence: string;
  readonly wouldRun: boolean;
  readonly at: number;
}
