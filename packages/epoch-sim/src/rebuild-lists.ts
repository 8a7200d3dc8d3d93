import { Status } from './action-table.js';
import type { EngineState } from './engine-state.js';
import { MinuteCalendar } from './minute-calendar.js';
import { rowsOf } from './state-view.js';

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
  for (const calendar of ['ends', 'submissions', 'resumptions'] as const) state[calendar] = new MinuteCalendar(minute);
  for (const row of first) state.submissions.put(row, minute);
  for (let row = 0; row < actions.count; row++)
    if (actions.status(row) === Status.future && actions.due(row) !== minute)
      state.submissions.put(row, actions.due(row));
  // Ends of one minute come in the order of the starts, and a queue is in the order of the requests.
  for (const row of rowsOf(state, Status.running)) state.ends.put(row, actions.due(row));
  for (const row of rowsOf(state, Status.suspended)) state.resumptions.put(row, actions.due(row));
  for (const row of rowsOf(state, Status.waiting)) locks.join(actions, row);
}
