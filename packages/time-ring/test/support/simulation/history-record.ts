import type { EpochMs } from '@horae/clock-store';
import type { RingEvents } from '../../../src/model/events.js';
import type { RunContext } from '../../../src/model/handler.js';
import type { Job } from '../../../src/model/job.js';
import type { RunRow } from '../../../src/model/run.js';
import type { HistoryPlan } from './history-plan.js';
import type { Change } from './observed-store.js';

/** A handler that began, with the fence under which its node had the run. */
export interface HandlerStart {
  readonly number: number;
  readonly owner: string;
  readonly fence: number;
  /** The time by the clock of its machine, and by the true one. */
  readonly nodeAt: EpochMs;
  readonly trueAt: EpochMs;
  readonly context: RunContext;
}

/** What a user asked for, when it was asked and when it was answered; in terms of the order of the history. */
export interface UserCall {
  readonly kind:
    | 'add'
    | 'start'
    | 'stop'
    | 'update'
    | 'remove'
    | 'trigger'
    | 'kill'
    | 'ask'
    | 'retry'
    | 'cancel'
    | 'put';
  readonly jobId: number | null;
  readonly askedAt: number;
  answeredAt: number | null;
  /** What it gave; null while unanswered or refused. */
  result: unknown;
}

type Told = { [Name in keyof RingEvents]: { name: Name; event: RingEvents[Name]; owner: string } }[keyof RingEvents];

/** All that happened, in order: the place in the history is `order`, the true time `at`. */
export type HistoryEvent = { readonly order: number; readonly at: EpochMs } & (
  | { readonly kind: 'change'; readonly change: Change }
  | { readonly kind: 'start'; readonly start: HandlerStart }
  | { readonly kind: 'told'; readonly told: Told }
  | { readonly kind: 'crash' | 'stall' | 'step' | 'leave' | 'join'; readonly owner: string }
);

/** A history that is over. */
export interface History {
  readonly seed: string;
  readonly plan: HistoryPlan;
  readonly events: readonly HistoryEvent[];
  readonly calls: readonly UserCall[];
  /** Runs that users have tried to kill. */
  readonly killed: ReadonlySet<number>;
  /** The results of handlers that asked for no further attempt. */
  readonly final: ReadonlySet<string>;
  /** What handlers said that asked for a later time. */
  readonly later: ReadonlySet<string>;
  readonly rows: readonly RunRow[];
  readonly jobs: readonly Job[];
  /** The jobs as they were added, by id. */
  readonly added: ReadonlyMap<number, Job>;
  readonly endedAt: EpochMs;
}
