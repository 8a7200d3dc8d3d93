import type { EpochMs } from '@horae/clock-store';
import { badOption } from './errors.js';
import type { Flow, FlowInput } from './flow.js';
import type { Run, TriggerType } from './run.js';
import type { TriggerItem } from './trigger.js';

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
  /** No automatic retry comes after this attempt. */
  isLastAttempt: boolean;
  job: { readonly id: number; readonly key: string | null; readonly name: string };
  /** What a handler can ask of the ring; what it starts is durable before it resolves. */
  readonly ring: HandlerRing;
  /** Says how far the run has come, 0 to 1 or null, and with what. Written at once, then at most once a second. */
  progress(fraction: number | null, note?: string): void;
  /** Aborted by the time limit, a kill, COVER, or the deadline of a stop. */
  signal: AbortSignal;
  /** Adds a line to the run's log. */
  log(line: string): void;
}

/** The part of a ring that handlers see: they ask for more work. */
export interface HandlerRing {
  readonly jobs: {
    trigger(job: number, options?: TriggerItem): Promise<Run>;
    triggerMany(job: number, items: readonly TriggerItem[]): Promise<readonly Run[]>;
  };
  readonly flows: {
    /** Flows that steps of flows start may do so 10 deep: 'bad-flow'. */
    start(flow: FlowInput): Promise<Flow>;
  };
}

// Marks instead of classes: a program may have two copies of this package.
const RETRY_LATER = Symbol.for('@horae/time-ring/retry-later');
const UNRECOVERABLE = Symbol.for('@horae/time-ring/unrecoverable');

/**
 * Thrown by a handler that wants the same attempt again in `ms` milliseconds: the attempt is not counted, at most `retries` times in a
 * row; once more is a failed attempt with this message.
 */
export class RetryLater extends Error {
  override readonly name = 'RetryLater';
  readonly [RETRY_LATER] = true;

  constructor(
    readonly ms: number,
    message = `To be tried again in ${ms} ms`,
  ) {
    super(message);
    if (!Number.isFinite(ms) || ms < 0) throw badOption('ms', ms, 'a number of milliseconds from 0 on');
  }
}

/** Thrown by a handler whose failure no further attempt can mend: the run fails, and is not retried. */
export class Unrecoverable extends Error {
  override readonly name = 'Unrecoverable';
  readonly [UNRECOVERABLE] = true;
}

export function isRetryLater(error: unknown): error is RetryLater {
  return error instanceof Error && RETRY_LATER in error;
}

export function isUnrecoverable(error: unknown): error is Unrecoverable {
  return error instanceof Error && UNRECOVERABLE in error;
}
