import { Flag, Status } from '../tables/action-table.js';
import { LockKind } from '../tables/lock-table.js';
import { requestLocks } from './admit.js';
import type { EngineState } from './engine-state.js';
import { grant, hasResources } from './grant.js';
import { stopRunning } from './stop-running.js';

/**
 * Lets preempting requests take their locks, the highest priority first, then in the order of their requests. Each takes all of its locks
 * or none. One pass is enough: whatever a later one could free for an earlier one, that one could have taken itself. Returns the rows that
 * are to start.
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
    if (victims === null || !hasResources(state, row)) continue;
    for (const victim of victims) stopRunning(state, victim, minute, { reason: 'preempted', by: state.idOf(row) });
    grant(state, row);
    for (const victim of victims) requestLocks(state, victim, minute);
    starting.push(row);
  }
  return starting;
}

/**
 * The holders to evict; null when a holder or a waiter in front stands in the way. Where a lock has several units they go in the
 * order in which they are chosen, else in the order they started.
 */
function victimsOf(state: EngineState, row: number): number[] | null {
  const { actions, locks } = state;
  const priority = actions.priority[row]!;
  const victims = new Set<number>();
  let hasSeveralUnits = false;
  const end = actions.lockStart(row) + actions.lockCount(row);
  for (let place = actions.lockStart(row); place < end; place++) {
    const lock = actions.pool.lock(place);
    for (let ahead = locks.head[lock]!; ahead !== place; ahead = actions.pool.after(ahead)) {
      if (actions.priority[actions.pool.owner(ahead)]! >= priority) return null;
    }
    if (locks.kind[lock] === LockKind.level) continue;
    if (locks.capacity(lock) > 1) hasSeveralUnits = true;
    if (locks.isDown(lock) || !evict(state, lock, actions.pool.units(place), priority, victims)) return null;
  }
  if (hasSeveralUnits) return [...victims].sort(byEviction(state));
  return [...victims].sort((a, b) => actions.started(a) - actions.started(b));
}

/** The lowest priority first, then the latest started. */
function byEviction({ actions }: EngineState): (a: number, b: number) => number {
  return (a, b) => actions.priority[a]! - actions.priority[b]! || actions.started(b) - actions.started(a);
}

/** Adds holders to the victims until this many units are free: the lowest priority first, then the latest started. */
function evict(state: EngineState, lock: number, units: number, priority: number, victims: Set<number>): boolean {
  const { actions, locks } = state;
  let free = locks.free[lock]!;
  if (free >= units) return true;
  const holders = locks.holdersOf(lock);
  for (const holder of holders) if (victims.has(holder)) free += unitsHeld(state, holder, lock);
  const others = holders.filter((holder) => {
    if (victims.has(holder) || actions.status(holder) !== Status.running) return false;
    return actions.priority[holder]! < priority && (actions.flags(holder) & Flag.interruptible) !== 0;
  });
  others.sort(byEviction(state));
  for (const holder of others) {
    if (free >= units) break;
    victims.add(holder);
    free += unitsHeld(state, holder, lock);
  }
  return free >= units;
}

function unitsHeld({ actions }: EngineState, row: number, lock: number): number {
  const start = actions.lockStart(row);
  for (let i = 0; i < actions.lockCount(row); i++)
    if (actions.pool.lock(start + i) === lock) return actions.pool.units(start + i);
  return 0;
}
