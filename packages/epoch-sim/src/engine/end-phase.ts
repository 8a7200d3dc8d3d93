import { Flag, Status } from '../tables/action-table.js';
import { END } from '../tables/event-log.js';
import { follow, scheduleReveal, showReveals } from './call-hooks.js';
import { settleDependents } from './dependencies.js';
import type { EngineState } from './engine-state.js';
import { checkedFollowUps } from './follow-ups.js';
import { toldOf } from './hook-calls.js';
import { restoreLocks } from './outages.js';
import { endReservation } from './reservations.js';
import { stateView } from './state-view.js';

/**
 * Ends the actions that are due at `minute`, in the order of the starts, brings repaired locks up, and then makes the visibility changes.
 */
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
    if (state.anyNeeds) endReservation(state, row, false);
    if (state.waitingFor.size > 0) settleDependents(state, state.idOf(row), minute);
    if (onEnd !== undefined || (actions.flags(row) & Flag.triggers) !== 0) followed.push(row);
  }
  if (state.down.size > 0) restoreLocks(state, minute);
  for (const one of followed) {
    const asked =
      onEnd === undefined
        ? undefined
        : checkedFollowUps('onEnd', state.idOf(one), onEnd(toldOf(state, one, minute), stateView(state, minute)));
    if (asked !== undefined) for (const followUp of asked) follow(state, one, minute, followUp, 0);
    else if ((actions.flags(one) & Flag.triggers) !== 0) scheduleReveal(state, one, minute, undefined);
  }
  showReveals(state, minute);
}
