import type { EngineState } from '../engine/engine-state.js';
import { Status } from '../tables/action-table.js';
import { CANCEL, END, INTERRUPT, OUTAGE, RESTORE, START } from '../tables/event-log.js';

/** A state between two minutes: an action runs or waits for its locks, or a lock is down. */
export interface Stretch {
  readonly kind: 'run' | 'wait' | 'down';
  /** The action's row, or the lock's number. */
  readonly of: number;
  readonly from: number;
  readonly to: number;
}

/** Every stretch of an epoch as a list. */
export function stretchesOf(state: EngineState): Stretch[] {
  const stretches: Stretch[] = [];
  forEachStretch(state, (kind, of, from, to) => stretches.push({ kind, of, from, to }));
  return stretches;
}

/** Visits every stretch of an epoch, read from its events; stretches that cross its ends are cut there. */
export function forEachStretch(
  state: EngineState,
  visit: (kind: Stretch['kind'], of: number, from: number, to: number) => void,
): void {
  const { actions, log, minute } = state;
  // An action that was running when the epoch began, and a lock that was down, have no beginning in it.
  const running = new Int32Array(actions.count);
  const down = new Int32Array(state.locks.count);
  const add = (kind: Stretch['kind'], of: number, from: number, to: number): void => {
    const begin = Math.max(0, from);
    if (to > begin) visit(kind, of, begin, to);
  };
  for (let i = 0; i < log.count; i++) {
    const type = log.type[i]!;
    const row = log.action[i]!;
    const t = log.t[i]!;
    if (type === START) {
      add('wait', row, t - log.waited[i]!, t);
      running[row] = t;
    } else if (type === END || type === INTERRUPT || (type === CANCEL && log.attempt[i]! > 0)) {
      add('run', row, running[row]!, t);
    } else if (type === CANCEL) add('wait', row, t - log.waited[i]!, t);
    else if (type === OUTAGE) down[-1 - row] = t;
    else if (type === RESTORE) add('down', -1 - row, down[-1 - row]!, t);
  }
  for (let row = 0; row < actions.count; row++) {
    if (actions.status(row) === Status.running) add('run', row, running[row]!, minute);
    else if (actions.status(row) === Status.waiting) add('wait', row, actions.requestedAt(row), minute);
  }
  for (const lock of state.down.keys()) add('down', lock, down[lock]!, minute);
}
