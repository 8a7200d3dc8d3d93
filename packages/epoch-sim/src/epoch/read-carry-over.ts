import { compileKind, isFault } from '../engine/action-kind.js';
import { insertReveal } from '../engine/call-hooks.js';
import { watchPatience } from '../engine/cancel-phase.js';
import { type EngineState, FINISHED_EARLIER } from '../engine/engine-state.js';
import { enlist, scheduleInterrupts } from '../engine/submit.js';
import type { ActionDef, CarriedAction, CarryOver } from '../interchange/interchange.js';
import { Flag, Status } from '../tables/action-table.js';
import { readAgenda } from './carry-agenda.js';

/** Restores a carry-over into a fresh state, as of its current minute. The inverse of `writeCarryOver`. */
export function readCarryOver(state: EngineState, carryOver: CarryOver): void {
  const { actions, minute } = state;
  for (const id of list(carryOver.finished)) {
    state.finished.push(id);
    state.setRow(state.names.numberOf(id), FINISHED_EARLIER);
  }
  const kinds = list(carryOver.defs).map(({ verb, def }) => restoreKind(state, verb, def));
  const rows = new Map<string, number>();
  const addRow = (carried: CarriedAction): number => {
    const row = restoreAction(state, carried, kinds[carried.def] ?? -1);
    rows.set(carried.id, row);
    return row;
  };
  for (const carried of list(carryOver.running)) {
    const row = addRow(carried);
    actions.setStatus(row, Status.running);
    actions.setDue(row, minute + carried.remaining);
    actions.setStarted(row, carried.started);
    state.locks.join(actions, row);
    state.locks.seize(actions, row);
    state.ends.put(row, actions.due(row));
  }
  for (const carried of list(carryOver.waiting)) restoreWaiting(state, addRow(carried), carried);
  for (const carried of list(carryOver.suspended)) {
    const row = addRow(carried);
    actions.setStatus(row, Status.suspended);
    actions.setSpan(row, carried.d_rem);
    actions.setDue(row, minute + carried.resume_in);
    state.resumptions.put(row, actions.due(row));
  }
  for (const { action, due_in, follow_up, listed } of list(carryOver.future)) {
    const row = enlist(state, action, minute + due_in, follow_up ? Flag.followUp : 0);
    if (listed !== undefined) state.listed.set(row, listed);
  }
  readAgenda(state, carryOver);
  state.nextListed = 1 + [...state.listed.values()].reduce((most, place) => Math.max(most, place), -1);
  scheduleInterrupts(state, carryOver.interrupts);
  restoreReveals(state, carryOver, rows);
  state.nextRequest = carryOver.next_request ?? 0;
  state.nextStart = carryOver.next_start ?? 0;
}

/** Carried actions keep the definition they began with, even when the new input has another one for the verb. */
function restoreKind(state: EngineState, verb: string, def: ActionDef): number {
  const known = state.kindOf.get(verb);
  if (typeof known === 'number' && JSON.stringify(state.kinds[known]!.def) === JSON.stringify(def)) return known;
  const kind = compileKind(verb, def, false);
  return isFault(kind) ? -1 : state.addKind(kind);
}

function restoreAction(state: EngineState, carried: CarriedAction, kind: number): number {
  const { actions } = state;
  const row = actions.add(carried.action);
  actions.name[row] = state.names.numberOf(carried.id);
  state.setRow(actions.name[row]!, row);
  actions.setKind(row, kind);
  actions.priority[row] = carried.priority;
  const { patience_min, after } = carried.action;
  const special = patience_min !== undefined || after !== undefined ? Flag.special : 0;
  actions.setFlags(row, (state.kinds[kind]?.flags ?? 0) | special | (carried.visible ? Flag.visible : 0));
  actions.setAttempt(row, carried.attempt);
  actions.setFirstRequest(row, carried.first_request);
  actions.setLocks(
    row,
    carried.locks.map((lock) => state.lockNumber(lock)),
    carried.units,
  );
  return row;
}

function restoreWaiting(state: EngineState, row: number, carried: CarryOver['waiting'][number]): void {
  const { actions } = state;
  actions.setStatus(row, Status.waiting);
  actions.setSpan(row, carried.work ?? carried.d_rem ?? 1);
  actions.setRequest(row, carried.request);
  actions.setRequestedAt(row, state.minute - carried.waited_min);
  if (carried.attempt === 0) waitOn(state, row);
  if (actions.lockCount(row) === 0) state.unlocked.push(row);
  else state.locks.join(actions, row);
  if ((actions.flags(row) & Flag.preempts) === 0) return;
  state.preemptors.push(row);
  state.lookAgain = state.locks.hasWide;
}

/** A first request also stands in line for its resources, and its patience continues. */
function waitOn(state: EngineState, row: number): void {
  const { actions } = state;
  const levels = state.kindLevels[actions.kind(row)] ?? [];
  for (const level of levels) actions.pool.add(level, row);
  actions.setLockCount(row, actions.lockCount(row) + levels.length);
  if ((actions.flags(row) & Flag.special) !== 0) watchPatience(state, row);
}

/** A reveal may be of an action that has ended long ago; it then gets a row of its own that takes no id. */
function restoreReveals(state: EngineState, carryOver: CarryOver, rows: Map<string, number>): void {
  for (const { action_id, due_in, meta } of list(carryOver.reveals)) {
    let row = rows.get(action_id);
    if (row === undefined) {
      row = state.actions.add({ id: action_id, actor: '', verb: '', submitted_at: '' });
      state.actions.name[row] = state.names.numberOf(action_id);
      state.actions.setStatus(row, Status.rejected);
      rows.set(action_id, row);
    }
    insertReveal(state.reveals, { due: state.minute + due_in, row, meta });
  }
}

function list<Item>(value: readonly Item[] | undefined): readonly Item[] {
  return Array.isArray(value) ? value : [];
}
