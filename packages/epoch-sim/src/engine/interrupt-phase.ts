import { Flag, Status } from '../tables/action-table.js';
import { settleDependents } from './dependencies.js';
import type { EngineState, PendingInterrupt } from './engine-state.js';
import { endReservation } from './reservations.js';
import { stopRunning } from './stop-running.js';

type Refusal = 'not_running' | 'not_interruptible' | 'priority';

/** Carries out the interrupts of a minute, by priority and then in the order they were submitted. */
export function interruptPhase(state: EngineState, minute: number): void {
  while (state.interruptCursor < state.interrupts.length) {
    const pending = state.interrupts[state.interruptCursor]!;
    if (pending.due > minute) return;
    state.interruptCursor++;
    const rows = targets(state, pending.given.target);
    if (rows.length === 0) ignore(state, pending, minute, 'not_running');
    for (const row of rows) interruptOne(state, pending, row, minute);
  }
}

function interruptOne(state: EngineState, pending: PendingInterrupt, row: number, minute: number): void {
  const { actions } = state;
  const refusal = refusalOf(state, row, pending.priority);
  if (refusal !== null) {
    ignore(state, pending, minute, refusal);
    return;
  }
  const { resume = 'auto', resume_after_min = 0, reason = null } = pending.given;
  stopRunning(state, row, minute, { reason });
  if (resume === 'never') {
    actions.setStatus(row, Status.cancelled);
    if (state.anyNeeds) endReservation(state, row, true);
    if (state.waitingFor.size > 0) settleDependents(state, state.idOf(row), minute);
    return;
  }
  actions.setStatus(row, Status.suspended);
  actions.setDue(row, minute + resume_after_min);
  state.resumptions.put(row, minute + resume_after_min);
}

function refusalOf({ actions }: EngineState, row: number, priority: number): Refusal | null {
  if (actions.status(row) !== Status.running) return 'not_running';
  if ((actions.flags(row) & Flag.interruptible) === 0) return 'not_interruptible';
  return actions.priority[row]! >= priority ? 'priority' : null;
}

function ignore(state: EngineState, { given }: PendingInterrupt, t: number, reason: Refusal): void {
  state.ignored.push({ target: given.target, reason, t });
}

/** The rows that a target means: an id, or the running actions of an actor or with a lock, in the order they started. */
function targets(state: EngineState, target: string): number[] {
  const { actions } = state;
  const byId = state.rowOf(state.names.find(target));
  if (byId >= 0) return [byId];
  if (target.startsWith('lock:')) {
    const lock = state.findLock(target.slice(5));
    return lock < 0 ? [] : inStartOrder(state.locks.holdersOf(lock));
  }
  if (!target.startsWith('actor:')) return [];
  const actor = target.slice(6);
  return inStartOrder([...state.ends.items()].filter((row) => (actions.instances[row]!.actor ?? '') === actor));

  function inStartOrder(rows: number[]): number[] {
    return rows.sort((a, b) => actions.started(a) - actions.started(b));
  }
}
