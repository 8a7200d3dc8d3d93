import { quote } from '../interchange/sim-errors.js';
import { Flag, Status } from '../tables/action-table.js';
import { watchPatience } from './cancel-phase.js';
import { forgetFuture, mayAsk, refuse } from './dependencies.js';
import type { EngineState } from './engine-state.js';

/** Makes an action a request at `minute`: it takes its id, reserves its resources and joins its queues, or is rejected. */
export function admit(state: EngineState, row: number, minute: number): void {
  const { actions } = state;
  const name = actions.name[row]!;
  const owner = state.rowOf(name);
  if (owner !== -1 && owner !== row) {
    const problem = 'its id is taken by an earlier action; give each action its own';
    refuse(state, row, minute, { code: 'DuplicateActionId', problem });
    return;
  }
  const fault = state.faults.size === 0 ? undefined : state.faults.get(row);
  if (fault !== undefined) {
    state.faults.delete(row);
    refuse(state, row, minute, fault);
    return;
  }
  const special = (actions.flags(row) & Flag.special) !== 0;
  if (special && !mayAsk(state, row, minute)) return;
  const reserves = !special || !state.kinds[actions.kind(row)]!.waits;
  const needs = state.needsOf(row);
  if (needs.length > 0 && reserves) {
    const missing = state.resources.shortage(needs);
    if (missing !== null) {
      const left = state.resources.available(missing.name);
      const stock = left === null ? 'which is in no stock' : `of which ${left} is left`;
      const problem = `it needs ${missing.amount} of ${quote(missing.name)}, ${stock}; add stock or submit it later`;
      refuse(state, row, minute, { code: 'InsufficientResources', problem });
      return;
    }
  }
  takeLocks(state, row, special);
  if ((actions.flags(row) & Flag.failsOnConflict) !== 0) {
    const taken = conflictingLock(state, row);
    if (taken >= 0) {
      const lock = quote(state.names.texts[state.locks.name[taken]!]);
      const problem = `lock ${lock} is held or awaited; submit it later or let it queue (on_conflict: queue)`;
      refuse(state, row, minute, { code: 'CannotAcquireLock', problem });
      return;
    }
  }
  if (needs.length > 0 && reserves) state.resources.reserve(needs);
  state.setRow(name, row);
  if (state.futureRows !== null) forgetFuture(state, row);
  actions.setFirstRequest(row, state.nextRequest);
  requestLocks(state, row, minute);
  if (special) watchPatience(state, row);
}

function takeLocks(state: EngineState, row: number, special: boolean): void {
  const { actions } = state;
  const { pool } = actions;
  const sets = state.kindLocks;
  const set = actions.kind(row);
  const end = sets.end(set);
  let extra = -1;
  if (state.rules.options.actor_exclusive === true)
    extra = state.lockNumber(`actor:${actions.instances[row]!.actor ?? ''}`);
  actions.setLockStart(row, pool.size);
  for (let place = sets.start(set); place < end; place++) {
    const lock = sets.lock(place);
    pool.add(lock, row, sets.units(place));
    if (lock === extra) extra = -1;
  }
  if (extra >= 0) pool.add(extra, row);
  // Behind the locks, so that they can be left out once the action has its resources.
  if (special) for (const level of state.kindLevels[set]!) pool.add(level, row);
  actions.setLockCount(row, pool.size - actions.lockStart(row));
}

/** The first lock, if any, that the action would have to wait for. */
function conflictingLock(state: EngineState, row: number): number {
  const { actions, locks } = state;
  const end = actions.lockStart(row) + actions.lockCount(row);
  for (let place = actions.lockStart(row); place < end; place++) {
    const lock = actions.pool.lock(place);
    if (locks.free[lock]! < actions.pool.units(place) || locks.head[lock]! >= 0) return lock;
  }
  return -1;
}

/** Queues an action for its locks, behind every earlier request. */
export function requestLocks(state: EngineState, row: number, minute: number): void {
  const { actions } = state;
  actions.setStatus(row, Status.waiting);
  actions.setRequest(row, state.nextRequest++);
  actions.setRequestedAt(row, minute);
  if (actions.lockCount(row) === 0) state.unlocked.push(row);
  else state.locks.join(actions, row);
  if ((actions.flags(row) & Flag.preempts) !== 0 && actions.lockCount(row) > 0) state.preemptors.push(row);
}
