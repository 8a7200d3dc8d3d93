import { Flag, Status } from './action-table.js';
import type { EngineState, PendingInterrupt } from './engine-state.js';
import { INTERRUPT } from './event-log.js';

type Refusal = 'not_running' | 'not_interruptible' | 'priority';

/** Carries out the interrupts of a minute, by priority and then in the order they were given. */
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
    const needs = state.needsOf(row);
    if (needs.length > 0) state.resources.settle(needs, true);
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

/** Takes a running action off its locks and writes the interrupt; what is left of it is kept in `span`. */
export function stopRunning(state: EngineState, row: number, minute: number, note: Record<string, unknown>): void {
  const { actions } = state;
  const left = actions.due(row) - minute;
  state.ends.remove(row, actions.due(row));
  state.locks.release(actions, row);
  actions.setSpan(row, left);
  const at = state.log.push(INTERRUPT, row, minute, left, actions.attempt(row), 0);
  state.log.notes.set(at, note);
}

function ignore(state: EngineState, { given }: PendingInterrupt, t: number, reason: Refusal): void {
  state.ignored.push({ target: given.target, reason, t });
}

/** The rows that a target means: an id, the running actions of an actor in the order they started, or a lock's holder. */
function targets(state: EngineState, target: string): number[] {
  const byId = state.rowOf(state.names.find(target));
  if (byId >= 0) return [byId];
  if (target.startsWith('lock:')) {
    const lock = state.findLock(target.slice(5));
    const holder = lock < 0 ? -1 : state.locks.holder[lock]!;
    return holder < 0 ? [] : [holder];
  }
  if (!target.startsWith('actor:')) return [];
  const { actions } = state;
  const actor = target.slice(6);
  const rows = [...state.ends.items()].filter((row) => (actions.instances[row]!.actor ?? '') === actor);
  return rows.sort((a, b) => actions.started(a) - actions.started(b));
}
