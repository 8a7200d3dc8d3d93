import type { EpochMs } from '@horae/clock-store';
import { badOption } from './errors.js';
import type { Flow, FlowInput } from './flow.js';
import type { Run, TriggerType } from './run.js';
import type { TriggerItem } from './trigger.js';

/** The code of a job on an executor. Resolving is success, throwing is failure; a returned string becomes the run's message. */
export type Handler = (context: RunContext) => unknown | Promise<unknown>;

/** The run as its handler sees it. */
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
  /** No automatic retry follows this attempt. */
  isLastAttempt: boolean;
  job: { readonly id: number; readonly key: string | null; readonly name: string };
  /** Triggers further runs and flows; each is durable when its call resolves. */
  readonly ring: HandlerRing;
  /** Reports the run's progress, 0 to 1 or null, with an optional note. Written at once, then at most once per second. */
  progress(fraction: number | null, note?: string): void;
  /** Aborted by the time limit, a kill, COVER, or the deadline of a stop. */
  signal: AbortSignal;
  /** Adds a line to the run's log. */
  log(line: string): void;
}

/** The part of a ring available to handlers, which they use to trigger further work. */
export interface HandlerRing {
  readonly jobs: {
    trigger(job: number, options?: TriggerItem): Promise<Run>;
    triggerMany(job: number, items: readonly TriggerItem[]): Promise<readonly Run[]>;
  };
  readonly flows: {
    /** Starts a flow. Flows started by steps of flows may nest 10 deep; a deeper one is rejected with 'bad-flow'. */
    start(flow: FlowInput): Promise<Flow>;
  };
}

// Recognised by symbol, not by class: a program may load two copies of this package.
const RETRY_LATER = Symbol.for('@horae/time-ring/retry-later');
const UNRECOVERABLE = Symbol.for('@horae/time-ring/unrecoverable');

/**
 * Thrown by a handler to repeat the same attempt in `ms` milliseconds. The attempt is not counted, at most `retries` times in a row; the
 * next time it counts as a failed attempt with this message.
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

/** Thrown by a handler when another attempt cannot succeed: the run fails and is not retried. */
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
