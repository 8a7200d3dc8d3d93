import { INTERRUPT } from '../tables/event-log.js';
import type { EngineState } from './engine-state.js';
import { tell } from './hook-calls.js';

/** Why a run is interrupted, as events show it. */
export interface InterruptNote extends Record<string, unknown> {
  reason: string | null;
}

/** Takes a running action off its locks and writes the interrupt; what is left of it is kept in `span`. */
export function stopRunning(state: EngineState, row: number, minute: number, note: InterruptNote): void {
  const { actions } = state;
  const left = actions.due(row) - minute;
  state.ends.remove(row, actions.due(row));
  state.locks.release(actions, row);
  actions.setSpan(row, left);
  const attempt = actions.attempt(row);
  const at = state.log.push(INTERRUPT, row, minute, left, attempt, 0);
  state.log.notes.set(at, note);
  tell(state, 'onInterrupt', row, minute, { attempt, d_rem: left, reason: note.reason });
}
