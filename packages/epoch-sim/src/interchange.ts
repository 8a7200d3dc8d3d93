/** How hard an action is: 0.9, 1.0 or 1.1 times its base duration. */
export type Effort = 'low' | 'medium' | 'high';

/** A resource that an action needs. `consume` (the default) takes it out of the stock at the end, `return` gives it back. */
export interface ResourceNeed {
  readonly name: string;
  readonly amount: number;
  readonly mode?: 'consume' | 'return';
}

/** Who sees the events of an action besides its own actor; an instance overrides its definition field by field. */
export interface Visibility {
  readonly scope?: string;
  readonly visibility_to?: string | readonly string[];
  readonly allies_only?: boolean;
}

/** What a verb means. */
export interface ActionDef extends Visibility {
  readonly verb?: string;
  readonly base_duration_min: number;
  readonly effort?: Effort;
  readonly interruptible?: boolean;
  readonly locks?: readonly string[];
  readonly may_trigger_event?: boolean;
  readonly resources?: readonly ResourceNeed[];
  /** The skill that counts for the duration; the verb by default. */
  readonly skill?: string;
  readonly priority?: number;
  readonly preempts?: boolean;
  readonly on_conflict?: 'queue' | 'fail';
}

/** One submitted action. `submitted_at` is ISO 8601; without an offset it is UTC. */
export interface ActionInstance extends Visibility {
  readonly id: string;
  readonly actor: string;
  readonly verb: string;
  readonly params?: unknown;
  readonly submitted_at: string;
  readonly priority?: number;
}

/** Scales durations of actions that start in `[from, to)`, minutes of the UTC day; `from > to` wraps midnight. */
export interface Modifier {
  readonly factor: number;
  readonly verb?: string;
  readonly from?: number;
  readonly to?: number;
}

/** Stops a running action: one id, all actions of `actor:x`, or the holder of `lock:y`. */
export interface Interrupt {
  readonly at: string;
  readonly target: string;
  readonly priority?: number;
  readonly resume?: 'auto' | 'never';
  readonly resume_after_min?: number;
  readonly reason?: string;
}

/** A stock; what is reserved of it belongs to actions that have not ended. */
export interface Stock {
  stock: number;
  reserved: number;
}

/** A window of whole minutes. */
export interface Epoch {
  readonly index: number;
  readonly start_at: string;
  readonly end_at: string;
}

/** What one epoch is simulated from. Only own properties of its records count. */
export interface EpochInput {
  readonly epoch: Epoch;
  readonly actions_submitted: readonly ActionInstance[];
  readonly action_defs: Readonly<Record<string, ActionDef>>;
  /** Actor to skill to level (0 to 3). */
  readonly skills?: Readonly<Record<string, Readonly<Record<string, number>>>>;
  readonly resources?: Readonly<Record<string, number | { readonly stock: number; readonly reserved?: number }>>;
  readonly modifiers?: readonly Modifier[];
  readonly interrupts?: readonly Interrupt[];
  /** The name of the player's character. */
  readonly pc?: string;
  readonly allies?: readonly string[];
  readonly carry_over?: CarryOver;
}

export type EventType = 'start' | 'end' | 'interrupt' | 'visibility_change';

/** One event. `t` counts minutes from the start of its epoch. */
export interface ScheduleEvent {
  type: EventType;
  action_id: string;
  t: number;
  at: string;
  meta: Record<string, unknown>;
}

/** An event as it stands in a log. `seq` runs through all epochs; `hash` chains it to every record before it. */
export interface LogRecord extends ScheduleEvent {
  seq: number;
  epoch: number;
  slot: number;
  hash: string;
}

export type RejectionCode =
  | 'UnknownVerb'
  | 'InvalidDuration'
  | 'InvalidTimestamp'
  | 'DuplicateActionId'
  | 'CannotAcquireLock'
  | 'InsufficientResources'
  | 'InvalidSkill'
  | 'InvalidAction';

/** An action that is not carried out. `t` is the minute of its admission; null when it has none. */
export interface Rejection {
  id: string;
  code: RejectionCode;
  t: number | null;
  message: string;
}

/** An interrupt that changes nothing. `invalid`: its time or one of its options cannot be read. */
export interface IgnoredInterrupt {
  target: string;
  reason: 'not_running' | 'not_interruptible' | 'priority' | 'invalid';
  t: number | null;
}

/** An action that has ended, as `onEnd` is told. */
export interface EndedAction {
  readonly action_id: string;
  readonly actor: string;
  readonly verb: string;
  readonly params: unknown;
  readonly t: number;
}

/** What an end leads to. A submitted action's `submitted_at` may be left out; `after_min` (0 by default) decides. */
export type FollowUp =
  | { readonly type: 'visibility_change'; readonly after_min?: number; readonly meta?: Record<string, unknown> }
  | {
      readonly type: 'submit';
      readonly action: Omit<ActionInstance, 'submitted_at'> & { readonly submitted_at?: string };
      readonly after_min?: number;
    };

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

export interface EpochOptions {
  /** What happens to an action whose lock is held or awaited at admission; `def.on_conflict` overrides it. */
  readonly lock_policy?: 'queue' | 'fail';
  /** Adds the lock `actor:<name>` to every action, so that nobody does two things at once. */
  readonly actor_exclusive?: boolean;
  /** Slots of the epoch for the logs; `ceil(minutes / 60)` by default. */
  readonly slots?: number;
  /**
   * Called at the end of every action. What it returns replaces the default follow-up (one `visibility_change` when the
   * definition has `may_trigger_event`); undefined keeps it. It must be a pure function of its arguments.
   */
  readonly onEnd?: (ended: EndedAction, view: StateView) => readonly FollowUp[] | undefined;
  readonly noise?: Noise;
}

export interface LockState {
  held_by: string | null;
  queue: string[];
}

/** Why an action started later than it was asked for, or still waits. Attempts that did not wait have no record. */
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

/** What all carried actions have in common. */
export interface CarriedAction {
  id: string;
  action: ActionInstance;
  /** Index into `defs` of the carry-over. */
  def: number;
  locks: string[];
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
  future: { id: string; action: ActionInstance; due_in: number; follow_up: boolean }[];
  interrupts: (Interrupt & { due_in: number })[];
  reveals: { action_id: string; due_in: number; meta: Record<string, unknown> }[];
  resources: Record<string, Stock>;
  /** Ids that are taken by actions which have ended or were cancelled. */
  finished: string[];
  defs: { verb: string; def: ActionDef }[];
  /** What future actions are judged by where the next input does not say. */
  context: Pick<EpochInput, 'skills' | 'modifiers' | 'pc' | 'allies'> & { action_defs: Record<string, ActionDef> };
  next_request: number;
  next_start: number;
  /** The number of events so far, and the hash of the last one. */
  seq: number;
  readonly hash: string;
}
