import type { Distribution } from './distribution.js';
import type { Arrival, Cancellation, Instant, LockDef, LockNeed, Outage } from './happenings.js';

/** How hard an action is: 0.9, 1.0 or 1.1 times its base duration. */
export type Effort = 'low' | 'medium' | 'high';

/**
 * A resource that an action needs: `consume` (the default) takes it out of the stock at the end, `return` puts it back. With `produce` the
 * action needs nothing and adds to the stock at its end.
 */
export interface ResourceNeed {
  readonly name: string;
  readonly amount: number;
  readonly mode?: 'consume' | 'return' | 'produce';
}

/** The actors that see the events of an action besides its own; an instance overrides its definition field by field. */
export interface Visibility {
  readonly scope?: string;
  readonly visibility_to?: string | readonly string[];
  readonly allies_only?: boolean;
}

/** The definition of a verb. */
export interface ActionDef extends Visibility {
  readonly verb?: string;
  readonly base_duration_min: number | Distribution;
  readonly effort?: Effort;
  readonly interruptible?: boolean;
  readonly locks?: readonly LockNeed[];
  readonly may_trigger_event?: boolean;
  readonly resources?: readonly ResourceNeed[];
  /** The skill that counts for the duration; the verb by default. */
  readonly skill?: string;
  readonly priority?: number;
  readonly preempts?: boolean;
  readonly on_conflict?: 'queue' | 'fail';
  /** The behaviour when a stock is too small: `reject` (the default), or `wait` in line until there is enough. */
  readonly on_shortage?: 'wait' | 'reject';
  /** A waiter that has not started for the first time within this many minutes is given up. */
  readonly patience_min?: number;
}

/** One submitted action. A `submitted_at` without an offset is UTC. */
export interface ActionInstance extends Visibility {
  readonly id: string;
  readonly actor: string;
  readonly verb: string;
  readonly params?: unknown;
  readonly submitted_at: Instant;
  readonly priority?: number;
  /** Replaces the definition's `base_duration_min`. */
  readonly duration_min?: number | Distribution;
  readonly patience_min?: number;
  /** Ids of actions that must have ended before it makes its request. */
  readonly after?: readonly string[];
}

/** Scales durations of actions that start in `[from, to)`, minutes of the UTC day; `from > to` wraps midnight. */
export interface Modifier {
  readonly factor: number;
  readonly verb?: string;
  readonly from?: number;
  readonly to?: number;
}

/** Stops a running action: one id, all actions of `actor:x`, or the holders of `lock:y`. */
export interface Interrupt {
  readonly at: Instant;
  readonly target: string;
  readonly priority?: number;
  readonly resume?: 'auto' | 'never';
  readonly resume_after_min?: number;
  readonly reason?: string;
}

/** A stock; the reserved part belongs to actions that have not ended. */
export interface Stock {
  stock: number;
  reserved: number;
  /** Production beyond it is lost. */
  max?: number;
}

/** A window of whole minutes. */
export interface Epoch {
  readonly index: number;
  readonly start_at: string;
  /** Whole minutes from the start when it is a number. */
  readonly end_at: Instant;
}

/** The input of one epoch. Only own properties of its records count. */
export interface EpochInput {
  readonly epoch: Epoch;
  readonly actions_submitted: readonly ActionInstance[];
  readonly action_defs: Readonly<Record<string, ActionDef>>;
  /** Actor to skill to level (0 to 3). */
  readonly skills?: Readonly<Record<string, Readonly<Record<string, number>>>>;
  readonly resources?: Readonly<
    Record<string, number | { readonly stock: number; readonly reserved?: number; readonly max?: number }>
  >;
  readonly modifiers?: readonly Modifier[];
  readonly interrupts?: readonly Interrupt[];
  readonly lock_defs?: Readonly<Record<string, LockDef>>;
  readonly cancellations?: readonly Cancellation[];
  readonly arrivals?: readonly Arrival[];
  readonly outages?: readonly Outage[];
  /** The name of the player's character. */
  readonly pc?: string;
  readonly allies?: readonly string[];
  readonly carry_over?: CarryOver;
}

/** The kinds of event. An outage and its end (`restore`) are of a lock, all others of an action. */
export type EventType = 'start' | 'end' | 'interrupt' | 'visibility_change' | 'cancel' | 'outage' | 'restore';

/** One event. `t` counts minutes from the start of its epoch. The `action_id` of an outage and its end is `lock:<name>`. */
export interface ScheduleEvent {
  type: EventType;
  action_id: string;
  t: number;
  at: string;
  meta: Record<string, unknown>;
}

/** An event as it is written in a log. `seq` runs through all epochs; `hash` chains it to every record before it. */
export interface LogRecord extends ScheduleEvent {
  seq: number;
  epoch: number;
  slot: number;
  hash: string;
}

/** Why an action is not carried out. */
export type RejectionCode =
  | 'UnknownVerb'
  | 'InvalidDuration'
  | 'InvalidTimestamp'
  | 'DuplicateActionId'
  | 'CannotAcquireLock'
  | 'InsufficientResources'
  | 'InvalidSkill'
  | 'InvalidAction'
  | 'UnmetDependency';

/** An action that is not carried out. `t` is the minute of its admission; null when it has none. */
export interface Rejection {
  id: string;
  code: RejectionCode;
  t: number | null;
  message: string;
}

/**
 * An interrupt or a cancellation that changes nothing. `InvalidTimestamp`: its time is a fraction of a minute; `invalid`: its time
 * or one of its options cannot be read.
 */
export interface IgnoredInterrupt {
  target: string;
  reason: 'not_running' | 'not_interruptible' | 'priority' | 'invalid' | 'InvalidTimestamp';
  t: number | null;
}

/** The state as callbacks see it: computed on access, never stored. */
export interface StateView {
  readonly t: number;
  readonly at: string;
  readonly running: string[];
  readonly waiting: string[];
  readonly suspended: string[];
  readonly locks: Record<string, LockState>;
  readonly resources: Record<string, Stock>;
}

/** Durations vary by up to `percent` either way, by a generator keyed with (seed, action id, attempt). */
export interface Noise {
  readonly seed: number | string;
  readonly percent: number;
}

/** The holder of a lock and the actions that wait for it, first in line first. */
export interface LockState {
  held_by: string | null;
  queue: string[];
  /** The holders of its units, in the order of their starts; for locks with several units. `held_by` is the first. */
  holders?: string[];
}

/** Why an action started later than its request, or still waits. Attempts that did not wait have no record. */
export interface WaitRecord {
  action_id: string;
  attempt: number;
  /** The minute of the request; negative when it was in an earlier epoch. */
  requested_t: number;
  /** Null while it still waits. */
  started_t: number | null;
  /** For each of its locks the action that had it last before the start, or has it now. */
  locks: { lock: string; held_by: string | null; released_t: number | null }[];
  /** The actions that are before it in a queue, while it still waits. */
  behind: string[];
}

/** The result of one epoch: its events, the state at its end, and what the next epoch needs. JSON. */
export interface EpochResult {
  epoch: { index: number; start_at: string; end_at: string };
  schedule_events: ScheduleEvent[];
  locks: Record<string, LockState>;
  resources: Record<string, Stock>;
  /** Computed on first access, as are `waits`, `carry_over` and the hash in it. */
  readonly logs: { world_log: LogRecord[]; pc_log: LogRecord[] };
  rejections: Rejection[];
  ignored_interrupts: IgnoredInterrupt[];
  /** Why actions waited; `explainWait` reads it. */
  readonly waits: WaitRecord[];
  readonly carry_over: CarryOver;
}

/** The common fields of all carried actions. */
export interface CarriedAction {
  id: string;
  action: ActionInstance;
  /** Index into `defs` of the carry-over. */
  def: number;
  locks: string[];
  /** Units of each lock, unless all are 1. */
  units?: number[];
  priority: number;
  visible: boolean;
  /** Starts so far. */
  attempt: number;
  first_request: number;
}

/** The whole state at the end of an epoch as JSON; fed to the next epoch. Times are relative to the cut. */
export interface CarryOver {
  /** In the order of their starts. */
  running: (CarriedAction & { remaining: number; started: number })[];
  /** In the order of their requests. `work` is the base duration times effort and skill in percent, `d_rem` what is left. */
  waiting: (CarriedAction & { request: number; waited_min: number; work: number | null; d_rem: number | null })[];
  suspended: (CarriedAction & { d_rem: number; resume_in: number })[];
  /** Not yet admitted, in the order of admission. */
  future: { id: string; action: ActionInstance; due_in: number; follow_up: boolean; listed?: number }[];
  interrupts: (Interrupt & { due_in: number })[];
  reveals: { action_id: string; due_in: number; meta: Record<string, unknown> }[];
  resources: Record<string, Stock>;
  /** Ids that are taken by actions which have ended or were cancelled. */
  finished: string[];
  defs: { verb: string; def: ActionDef }[];
  /** The rules for future actions where the next input has none. */
  context: Pick<EpochInput, 'skills' | 'modifiers' | 'pc' | 'allies' | 'lock_defs'> & {
    action_defs: Record<string, ActionDef>;
  };
  /** Due, and waiting for the actions they come after. */
  held?: { id: string; action: ActionInstance; follow_up: boolean; listed: number }[];
  cancellations?: (Cancellation & { due_in: number })[];
  arrivals?: CarriedArrival[];
  outages?: CarriedOutage[];
  /** Locks that are down; `repair_in` is null where an action repairs them. */
  down?: { lock: string; repair_in: number | null; repaired_by: string | null }[];
  /** How many repairs each lock has had that were actions. */
  repairs?: Record<string, number>;
  /** Those of `finished` that were cancelled. */
  cancelled?: string[];
  next_request: number;
  next_start: number;
  /** The number of events so far, and the hash of the last one. */
  seq: number;
  readonly hash: string;
}

/** A source of arrivals: `sum` is that of its gaps so far, in minutes from `origin_in`. */
export interface CarriedArrival {
  given: Arrival;
  next: number;
  due_in: number | null;
  origin_in: number;
  end_in: number | null;
  sum: number;
}

/** A source of outages. `due_in` is null while it waits for a repair to end. */
export interface CarriedOutage {
  given: Outage;
  key: string;
  draws: number;
  due_in: number | null;
}
