import { Flag, Status } from './action-table.js';
import { requestLocks } from './admit.js';
import type { EngineState } from './engine-state.js';
import { stopRunning } from './interrupt-phase.js';

/**
 * Lets preempting requests take their locks, the highest priority first, then in the order of their requests. Each takes all
 * of its locks or none. One pass is enough: whatever a later one could free for an earlier one, that one could have taken
 * itself. Gives the rows that are to start.
 */
export function preemptPhase(state: EngineState, minute: number): number[] {
  if (state.preemptors.length === 0) return [];
  const { actions } = state;
  const order = state.preemptors.sort(
    (a, b) => actions.priority[b]! - actions.priority[a]! || actions.request(a) - actions.request(b),
  );
  const starting: number[] = [];
  for (const row of order.slice()) {
    const victims = victimsOf(state, row);
    if (victims === null) continue;
    for (const victim of victims) stopRunning(state, victim, minute, { reason: 'preempted', by: state.idOf(row) });
    state.locks.seize(actions, row);
    for (const victim of victims) requestLocks(state, victim, minute);
    starting.push(row);
  }
  return starting;
}

/** The holders to evict, in the order they started; null when a holder or a waiter in front stands in the way. */
function victimsOf(state: EngineState, row: number): number[] | null {
  const { actions, locks } = state;
  const priority = actions.priority[row]!;
  const victims = new Set<number>();
  const end = actions.lockStart(row) + actions.lockCount(row);
  for (let place = actions.lockStart(row); place < end; place++) {
    const lock = actions.pool.lock(place);
    for (let ahead = locks.head[lock]!; ahead !== place; ahead = actions.pool.after(ahead)) {
      if (actions.priority[actions.pool.owner(ahead)]! >= priority) return null;
    }
    const holder = locks.holder[lock]!;
    if (holder < 0) continue;
    if (actions.status(holder) !== Status.running || actions.priority[holder]! >= priority) return null;
    if ((actions.flags(holder) & Flag.interruptible) === 0) return null;
    victims.add(holder);
  }
  return [...victims].sort((a, b) => actions.started(a) - actions.started(b));
}
