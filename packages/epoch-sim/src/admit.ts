import { Flag, Status } from './action-table.js';
import type { EngineState } from './engine-state.js';
import { quote } from './sim-errors.js';
import { reject } from './submit.js';

/** Makes an action a request at `minute`: it takes its id, reserves its resources and joins its queues, or is rejected. */
export function admit(state: EngineState, row: number, minute: number): void {
  const { actions } = state;
  const name = actions.name[row]!;
  if (state.rowOf(name) !== -1) {
    refuse(state, row, minute, 'DuplicateActionId', 'its id is taken by an earlier action; give each action its own');
    return;
  }
  const fault = state.faults.size === 0 ? undefined : state.faults.get(row);
  if (fault !== undefined) {
    state.faults.delete(row);
    refuse(state, row, minute, fault.code, fault.problem);
    return;
  }
  const needs = state.needsOf(row);
  if (needs.length > 0) {
    const missing = state.resources.shortage(needs);
    if (missing !== null) {
      const left = state.resources.available(missing.name);
      const stock = left === null ? 'which is in no stock' : `of which ${left} is left`;
      const problem = `it needs ${missing.amount} of ${quote(missing.name)}, ${stock}; add stock or submit it later`;
      refuse(state, row, minute, 'InsufficientResources', problem);
      return;
    }
  }
  takeLocks(state, row);
  if ((actions.flags(row) & Flag.failsOnConflict) !== 0) {
    const taken = conflictingLock(state, row);
    if (taken >= 0) {
      const lock = quote(state.names.texts[state.locks.name[taken]!]);
      const problem = `lock ${lock} is held or awaited; submit it later or let it queue (on_conflict: queue)`;
      refuse(state, row, minute, 'CannotAcquireLock', problem);
      return;
    }
  }
  if (needs.length > 0) state.resources.reserve(needs);
  state.setRow(name, row);
  actions.setFirstRequest(row, state.nextRequest);
  requestLocks(state, row, minute);
}

function refuse(
  state: EngineState,
  row: number,
  t: number,
  code: Parameters<typeof reject>[2]['code'],
  problem: string,
) {
  state.actions.setStatus(row, Status.rejected);
  reject(state, state.idOf(row), { code, problem }, t);
}

function takeLocks(state: EngineState, row: number): void {
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
    pool.add(lock, row);
    if (lock === extra) extra = -1;
  }
  if (extra >= 0) pool.add(extra, row);
  actions.setLockCount(row, pool.size - actions.lockStart(row));
}

function conflictingLock(state: EngineState, row: number): number {
  const { actions, locks } = state;
  const end = actions.lockStart(row) + actions.lockCount(row);
  for (let place = actions.lockStart(row); place < end; place++) {
    const lock = actions.pool.lock(place);
    if (locks.holder[lock]! >= 0 || locks.head[lock]! >= 0) return lock;
  }
  return -1;
}

/** Queues an action for its locks, behind everyone who has asked before. */
export function requestLocks(state: EngineState, row: number, minute: number): void {
  const { actions } = state;
  actions.setStatus(row, Status.waiting);
  actions.setRequest(row, state.nextRequest++);
  actions.setRequestedAt(row, minute);
  if (actions.lockCount(row) === 0) state.unlocked.push(row);
  else state.locks.join(actions, row);
  if ((actions.flags(row) & Flag.preempts) !== 0 && actions.lockCount(row) > 0) state.preemptors.push(row);
}
