import type { Distribution } from './distribution.js';

/** A moment: ISO 8601, or whole minutes from the start of the epoch it is given with (negative: before it). */
export type Instant = string | number;

/** A lock that an action needs; one unit when only its name is given. */
export type LockNeed = string | { readonly name: string; readonly units?: number };

/** How many units a lock has (1 by default), and the order of its queue. */
export interface LockDef {
  readonly capacity?: number;
  readonly order?: 'fifo' | 'priority';
}

/** Gives up an action, or all actions of `actor:x`, that waits, is suspended, or runs and is interruptible. */
export interface Cancellation {
  readonly at: Instant;
  readonly target: string;
  readonly reason?: string;
}

/** A source of actions. Arrival `n` is at `from` plus the sum of `n` gaps, rounded up, or at the `n`th time of a cron text (UTC). */
export interface Arrival {
  readonly verb: string;
  /** The id of each action by default. */
  readonly actor?: string;
  readonly every: Distribution | string;
  readonly from?: Instant;
  /** Arrivals are before this moment. */
  readonly to?: Instant;
  readonly count?: number;
  /** Holds `{n}`, which counts from 1. */
  readonly id: string;
  readonly params?: unknown;
  readonly priority?: number;
  readonly patience_min?: number;
}

/** A repair that is an action of its own, `repair:<lock>:<n>`. Its locks are added to those of the definition. */
export interface RepairAction {
  readonly verb: string;
  readonly actor?: string;
  readonly locks?: readonly LockNeed[];
}

/** Times at which a whole lock is down until it is repaired. `every` counts from the end of the last repair. */
export interface Outage {
  readonly lock: string;
  readonly at?: Instant;
  readonly every?: Distribution;
  readonly repair: number | Distribution | RepairAction;
  /** `interrupt` (the default) stops interruptible holders; `finish` lets all of them run to their end. */
  readonly policy?: 'interrupt' | 'finish';
}
