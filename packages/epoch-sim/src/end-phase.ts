import { Flag, Status } from './action-table.js';
import type { EngineState, PendingReveal } from './engine-state.js';
import { END, VISIBILITY_CHANGE } from './event-log.js';
import type { FollowUp } from './interchange.js';
import { quote } from './sim-errors.js';
import { stateView } from './state-view.js';
import { enlist, reject } from './submit.js';

/** Ends what is due at `minute`, in the order of the starts, and then shows what became visible. */
export function endPhase(state: EngineState, minute: number): void {
  const { actions } = state;
  const { onEnd } = state.rules.options;
  const count = state.ends.take(minute);
  const { taken } = state.ends;
  const followed: number[] = [];
  for (let i = 0; i < count; i++) {
    const row = taken[i]!;
    actions.setStatus(row, Status.ended);
    state.log.push(END, row, minute, 0, 0, 0);
    state.locks.release(actions, row);
    const needs = state.needsOf(row);
    if (needs.length > 0) state.resources.settle(needs, false);
    if (onEnd !== undefined || (actions.flags(row) & Flag.triggers) !== 0) followed.push(row);
  }
  for (const one of followed) {
    const asked = onEnd === undefined ? undefined : askOnEnd(state, one, minute);
    if (asked !== undefined) for (const followUp of asked) follow(state, one, minute, followUp);
    else if ((actions.flags(one) & Flag.triggers) !== 0) scheduleReveal(state, one, minute, undefined);
  }
  showReveals(state, minute);
}

function askOnEnd(state: EngineState, row: number, minute: number): readonly FollowUp[] | undefined {
  const { actor, verb, params } = state.actions.instances[row]!;
  const ended = { action_id: state.idOf(row), actor, verb, params, t: minute };
  return state.rules.options.onEnd!(ended, stateView(state, minute)) ?? undefined;
}

function follow(state: EngineState, row: number, minute: number, followUp: FollowUp): void {
  const { after_min = 0 } = followUp;
  const usable = Number.isInteger(after_min) && after_min >= 0;
  if (followUp.type === 'submit') {
    const { action } = followUp;
    const id = String(action?.id);
    if (!usable || typeof action?.id !== 'string') {
      const problem = `the follow-up of ${quote(state.idOf(row))} needs an action with an id and after_min >= 0`;
      reject(state, id, { code: 'InvalidAction', problem }, minute);
      return;
    }
    const due = minute + after_min;
    enlist(state, { ...action, submitted_at: action.submitted_at ?? state.isoOf(due) }, due, Flag.followUp);
  } else {
    scheduleReveal(state, row, minute + (usable ? after_min : 0), followUp.meta);
  }
}

function scheduleReveal(state: EngineState, row: number, due: number, meta: Record<string, unknown> | undefined): void {
  insertReveal(state.reveals, { due, row, meta: { reveals: [state.idOf(row)], ...meta } });
}

/** Keeps the order (due, scheduling); nearly always this is the end of the list. */
export function insertReveal(reveals: PendingReveal[], reveal: PendingReveal): void {
  let at = reveals.length;
  while (at > 0 && reveals[at - 1]!.due > reveal.due) at--;
  reveals.splice(at, 0, reveal);
}

function showReveals(state: EngineState, minute: number): void {
  const { reveals, log } = state;
  let shown = 0;
  while (shown < reveals.length && reveals[shown]!.due <= minute) {
    const { row, meta } = reveals[shown++]!;
    log.notes.set(log.push(VISIBILITY_CHANGE, row, minute, 0, 0, 0), meta);
  }
  if (shown > 0) reveals.splice(0, shown);
}
