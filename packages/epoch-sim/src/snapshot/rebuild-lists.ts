import { isDeepStrictEqual } from 'node:util';
import { isPatience } from '../engine/action-kind.js';
import { patienceOf, watchPatience } from '../engine/cancel-phase.js';
import type { EngineState } from '../engine/engine-state.js';
import { rowsOf } from '../engine/state-view.js';
import { Flag, Status } from '../tables/action-table.js';
import { MinuteCalendar } from '../tables/minute-calendar.js';
import { check } from './snapshot-fault.js';

/**
 * The actions of the next minute in the order of their admission. Only there late ones come before others, so of all other
 * minutes the order is that of the rows.
 */
export function admittedNext({ submissions, minute }: EngineState): Int32Array {
  return Int32Array.from(submissions.itemsOf(minute));
}

/** Makes the calendars and the queues of a state whose other columns are complete. */
export function rebuildLists(state: EngineState, first: Int32Array): void {
  const { actions, locks, minute } = state;
  for (const calendar of ['ends', 'submissions', 'resumptions', 'patience'] as const)
    state[calendar] = new MinuteCalendar(minute);
  for (const row of first) state.submissions.put(row, minute);
  for (let row = 0; row < actions.count; row++)
    if (actions.status(row) === Status.future && actions.due(row) !== minute && !state.held.has(row))
      state.submissions.put(row, actions.due(row));
  // Ends of one minute come in the order of the starts, and a queue is in the order of the requests.
  for (const row of rowsOf(state, Status.running)) {
    state.ends.put(row, actions.due(row));
    locks.join(actions, row);
    check(locks.isFirst(actions, row), 'locks', state.idOf(row));
    locks.seize(actions, row);
  }
  for (const lock of state.down.keys()) locks.setDown(lock);
  for (const row of rowsOf(state, Status.suspended)) state.resumptions.put(row, actions.due(row));
  state.lookAgain = locks.hasWide;
  for (const row of rowsOf(state, Status.waiting)) {
    locks.join(actions, row);
    if (actions.attempt(row) === 0) checkWaits(state, row);
    if (actions.lockCount(row) === 0) state.unlocked.push(row);
    else if ((actions.flags(row) & Flag.preempts) !== 0) state.preemptors.push(row);
  }
}

/** A first request stands in line for the resources it waits for, and its patience has not ended. */
function checkWaits(state: EngineState, row: number): void {
  const { actions } = state;
  const levels = state.kindLevels[actions.kind(row)]!;
  const last = actions.locksOf(row).slice(-levels.length);
  check(levels.length === 0 || isDeepStrictEqual(last, levels), 'locks', state.idOf(row));
  if ((actions.flags(row) & Flag.special) === 0) return;
  const patience = patienceOf(state, row);
  check(patience === null || isPatience(patience), 'patience_min', patience);
  check(patience === null || actions.requestedAt(row) + patience >= state.minute, 'patience_min', patience);
  watchPatience(state, row);
}
