import type { FollowUp, HookName } from '../interchange/hooks.js';
import { Flag } from '../tables/action-table.js';
import { VISIBILITY_CHANGE } from '../tables/event-log.js';
import { insertCancellation } from './cancellations.js';
import type { EngineState, PendingReveal } from './engine-state.js';
import { checkedFollowUps } from './follow-ups.js';
import { stateView } from './state-view.js';
import { enlist } from './submit.js';

/** Hooks of parts of a minute that are over when they are called: what follows is of the next minute at the earliest. */
const LATE_HOOKS: ReadonlySet<HookName> = new Set(['onStart', 'onReject', 'onCancel']);

/** Calls the hooks that were noted, and applies their follow-ups. `least` is the earliest possible submission. */
export function callHooks(state: EngineState, minute: number, least = 0): void {
  if (state.calls.length === 0) return;
  const calls = state.calls;
  state.calls = [];
  for (const { hook, row, told } of calls) {
    const returned = state.rules.options[hook]!(told, stateView(state, minute));
    const soonest = LATE_HOOKS.has(hook) ? 1 : least;
    for (const followUp of checkedFollowUps(hook, told.action_id, returned) ?? [])
      follow(state, row, minute, followUp, soonest);
  }
  showReveals(state, minute);
}

/** Applies the follow-ups of a hook. */
export function follow(state: EngineState, row: number, minute: number, followUp: FollowUp, soonest: number): void {
  const { after_min = 0 } = followUp;
  const due = minute + Math.max(followUp.type === 'cancel' ? 1 : soonest, after_min);
  if (followUp.type === 'submit') {
    const { action } = followUp;
    enlist(state, { ...action, submitted_at: action.submitted_at ?? state.isoOf(due) }, due, Flag.followUp);
  } else if (followUp.type === 'cancel') {
    const { target, reason } = followUp;
    const given = { at: state.isoOf(due), target, ...(reason === undefined ? {} : { reason }) };
    insertCancellation(state, { due, given });
  } else {
    scheduleReveal(state, row, due, followUp.meta);
  }
}

export function scheduleReveal(
  state: EngineState,
  row: number,
  due: number,
  meta: Record<string, unknown> | undefined,
): void {
  insertReveal(state.reveals, { due, row, meta: { reveals: [state.idOf(row)], ...meta } });
}

/** Keeps the order (due, scheduling); nearly always this is the end of the list. */
export function insertReveal(reveals: PendingReveal[], reveal: PendingReveal): void {
  let at = reveals.length;
  while (at > 0 && reveals[at - 1]!.due > reveal.due) at--;
  reveals.splice(at, 0, reveal);
}

export function showReveals(state: EngineState, minute: number): void {
  const { reveals, log } = state;
  let shown = 0;
  while (shown < reveals.length && reveals[shown]!.due <= minute) {
    const { row, meta } = reveals[shown++]!;
    log.notes.set(log.push(VISIBILITY_CHANGE, row, minute, 0, 0, 0), meta);
  }
  if (shown > 0) reveals.splice(0, shown);
}
