import type { ActionInstance, RejectionCode, StateView } from './interchange.js';

/** What a hook receives about an action. Which of the last fields are set depends on the hook. */
export interface ToldAction {
  readonly action_id: string;
  readonly actor: string;
  readonly verb: string;
  readonly params: unknown;
  readonly t: number;
  readonly attempt?: number;
  readonly d_eff?: number;
  readonly d_rem?: number;
  readonly reason?: string | null;
  readonly code?: RejectionCode;
}

/** What `onEnd` receives. */
export type EndedAction = Pick<ToldAction, 'action_id' | 'actor' | 'verb' | 'params' | 't'>;

/** A follow-up of an event. A submitted action's `submitted_at` may be left out; `after_min` (0 by default) decides. */
export type FollowUp =
  | { readonly type: 'visibility_change'; readonly after_min?: number; readonly meta?: Record<string, unknown> }
  | {
      readonly type: 'submit';
      readonly action: Omit<ActionInstance, 'submitted_at'> & { readonly submitted_at?: string | number };
      readonly after_min?: number;
    }
  | { readonly type: 'cancel'; readonly target: string; readonly reason?: string; readonly after_min?: number };

/** Must be a pure function of its arguments. The view shows the state after the event. */
export type Hook = (told: ToldAction, view: StateView) => readonly FollowUp[] | undefined;

/**
 * Functions that are called when something happens to an action. An `after_min` of 0 counts as 1 from `onStart`, `onReject` and
 * `onCancel`, and for every `cancel`, because that part of the minute is over.
 */
export interface Hooks {
  /** Called when an action starts. */
  readonly onStart?: Hook;
  /** Its return value replaces the default follow-up (one `visibility_change` when the definition has `may_trigger_event`). */
  readonly onEnd?: Hook;
  /** Called when an action is interrupted. */
  readonly onInterrupt?: Hook;
  /** Called for actions that are rejected when they are due; those that cannot be read at all are in `rejections` only. */
  readonly onReject?: Hook;
  /** Called when an action is cancelled. */
  readonly onCancel?: Hook;
}

/** The name of a hook. */
export type HookName = keyof Hooks;
export const HOOK_NAMES = ['onStart', 'onEnd', 'onInterrupt', 'onReject', 'onCancel'] as const satisfies HookName[];
