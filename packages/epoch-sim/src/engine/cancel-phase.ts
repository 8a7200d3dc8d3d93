import { Flag, Status } from '../tables/action-table.js';
import { CANCEL } from '../tables/event-log.js';
import { settleDependents } from './dependencies.js';
import type { EngineState } from './engine-state.js';
import { tell } from './hook-calls.js';
import { endReservation } from './reservations.js';

/** Carries out the cancellations of a minute in their order. */
export function cancelPhase(state: EngineState, minute: number): void {
  const { cancellations } = state;
  let done = 0;
  while (done < cancellations.length && cancellations[done]!.due <= minute) {
    const { target, reason = 'cancelled' } = cancellations[done++]!.given;
    const rows = cancelTargets(state, target);
    if (rows.length === 0) state.ignored.push({ target, reason: 'not_running', t: minute });
    for (const row of rows) {
      const runs = state.actions.status(row) === Status.running;
      if (runs && (state.actions.flags(row) & Flag.interruptible) === 0)
        state.ignored.push({ target, reason: 'not_interruptible', t: minute });
      else cancelAction(state, row, minute, reason);
    }
  }
  if (done > 0) cancellations.splice(0, done);
}

/** Gives up the waiters whose patience ends, in the order of their requests. */
export function patiencePhase(state: EngineState, minute: number): void {
  if (state.patient === 0) return;
  const count = state.patience.take(minute);
  if (count === 0) return;
  const { actions } = state;
  const rows = Array.from(state.patience.taken.subarray(0, count));
  state.patient -= count;
  for (const row of rows.sort((a, b) => actions.request(a) - actions.request(b))) {
    // What was taken is not in the calendar any more.
    abandon(state, row, minute, 'patience');
  }
}

function cancelAction(state: EngineState, row: number, minute: number, reason: string): void {
  if (state.actions.status(row) === Status.waiting) forgetPatience(state, row);
  abandon(state, row, minute, reason);
}

/** Ends an action that waits, runs or is suspended; its locks and reservations are released. */
function abandon(state: EngineState, row: number, minute: number, reason: string): void {
  const { actions, locks, log } = state;
  const status = actions.status(row);
  const attempt = actions.attempt(row);
  let left = attempt > 0 ? actions.span(row) : -1;
  if (status === Status.running) {
    left = actions.due(row) - minute;
    state.ends.remove(row, actions.due(row));
    locks.release(actions, row);
  } else if (status === Status.suspended) {
    state.resumptions.remove(row, actions.due(row));
  } else {
    locks.leave(actions, row);
    if (state.preemptors.length > 0) state.preemptors = state.preemptors.filter((one) => one !== row);
  }
  endReservation(state, row, true);
  actions.setStatus(row, Status.cancelled);
  const waited = status === Status.waiting ? minute - actions.requestedAt(row) : 0;
  const at = log.push(CANCEL, row, minute, left, status === Status.running ? attempt : 0, waited);
  log.notes.set(at, { reason });
  tell(state, 'onCancel', row, minute, { reason, ...(left < 0 ? {} : { d_rem: left }) });
  settleDependents(state, state.idOf(row), minute);
}

/** How long a first request waits for its start; null without end. */
export function patienceOf(state: EngineState, row: number): number | null {
  return state.actions.instances[row]!.patience_min ?? state.kinds[state.actions.kind(row)]!.patience;
}

/** Begins to count the patience of a first request. */
export function watchPatience(state: EngineState, row: number): void {
  const patience = patienceOf(state, row);
  if (patience === null) return;
  state.patience.put(row, state.actions.requestedAt(row) + patience);
  state.patient++;
}

/** Stops counting: a first request starts or is given up. */
export function forgetPatience(state: EngineState, row: number): void {
  const { actions } = state;
  if (state.patient === 0 || actions.attempt(row) > 0 || (actions.flags(row) & Flag.special) === 0) return;
  const patience = patienceOf(state, row);
  if (patience === null) return;
  state.patience.remove(row, actions.requestedAt(row) + patience);
  state.patient--;
}

/** The rows that a target means: an id, or everything of an actor that can be cancelled, in the order of first requests. */
function cancelTargets(state: EngineState, target: string): number[] {
  const { actions } = state;
  const isOpen = (row: number): boolean => {
    const status = actions.status(row);
    return status === Status.waiting || status === Status.suspended || status === Status.running;
  };
  const byId = state.rowOf(state.names.find(target));
  if (byId >= 0) return isOpen(byId) ? [byId] : [];
  if (!target.startsWith('actor:')) return [];
  const actor = target.slice('actor:'.length);
  const rows: number[] = [];
  for (let row = 0; row < actions.count; row++)
    if (isOpen(row) && (actions.instances[row]!.actor ?? '') === actor) rows.push(row);
  return rows.sort((a, b) => actions.firstRequest(a) - actions.firstRequest(b));
}
