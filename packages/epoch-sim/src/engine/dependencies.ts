import { quote } from '../interchange/sim-errors.js';
import { Status } from '../tables/action-table.js';
import type { Fault } from './action-kind.js';
import { mayStillArrive } from './arrival-sources.js';
import { type EngineState, FINISHED_EARLIER } from './engine-state.js';
import { tell } from './hook-calls.js';
import { reject } from './rejections.js';

/** The outcome of an action that another one comes after. */
type Outcome = 'ended' | 'failed' | 'open';

/**
 * Whether an action that is due has nothing left to come after. If not it is held until the last of those actions has ended, or
 * rejected when one of them never will.
 */
export function mayAsk(state: EngineState, row: number, minute: number): boolean {
  const { after = [] } = state.actions.instances[row]!;
  const open = new Set<string>();
  for (const id of after) {
    const outcome = outcomeOf(state, id);
    if (outcome === 'failed') {
      rejectUnmet(state, row, minute, neverEnds(id));
      return false;
    }
    if (outcome === 'open') open.add(id);
  }
  if (open.size === 0) return true;
  if (isInCycle(state, row)) rejectUnmet(state, row, minute, 'it comes after itself');
  else hold(state, row, open);
  return false;
}

/** Keeps an action until all of `open` have ended. Its id is taken. */
function hold(state: EngineState, row: number, open: Set<string>): void {
  state.setRow(state.actions.name[row]!, row);
  state.held.set(row, open);
  const listed = state.listed.get(row);
  if (listed !== undefined && listed < 0) state.listed.set(row, -1 - listed);
  for (const id of open) {
    const rows = state.waitingFor.get(id);
    if (rows === undefined) state.waitingFor.set(id, [row]);
    else rows.push(row);
  }
}

/** Holds an action that was held before; it does not wait for actions that have ended since then. */
export function holdAgain(state: EngineState, row: number): void {
  const { after = [] } = state.actions.instances[row]!;
  hold(state, row, new Set(after.filter((id) => outcomeOf(state, id) !== 'ended')));
}

/** Notifies the actions that come after an action of its fate; those with nothing left to wait for are due now. */
export function settleDependents(state: EngineState, id: string, minute: number): void {
  const rows = state.waitingFor.get(id);
  const outcome = rows === undefined ? 'open' : outcomeOf(state, id);
  if (rows === undefined || outcome === 'open') return;
  state.waitingFor.delete(id);
  for (const row of rows) {
    const open = state.held.get(row);
    if (open === undefined) continue;
    open.delete(id);
    if (outcome === 'failed') {
      rejectUnmet(state, row, minute, neverEnds(id));
    } else if (open.size === 0) {
      state.held.delete(row);
      state.actions.setDue(row, minute);
      state.submissions.put(row, minute);
    }
  }
}

/** The same for every name that is waited for; after a source of actions has run dry. */
export function settleAllDependents(state: EngineState, minute: number): void {
  for (const id of [...state.waitingFor.keys()]) settleDependents(state, id, minute);
}

/** Rejects an action that is due; no other action waits for it any longer. */
export function refuse(state: EngineState, row: number, t: number, fault: Fault): void {
  const { actions } = state;
  actions.setStatus(row, Status.rejected);
  forgetFuture(state, row);
  // One that was held has taken its id.
  const name = actions.name[row]!;
  if (state.rowOf(name) === row) state.setRow(name, -1);
  reject(state, state.idOf(row), actions.instances[row]!.verb, fault, t);
  tell(state, 'onReject', row, t, { code: fault.code });
  if (state.waitingFor.size > 0) settleDependents(state, state.idOf(row), t);
}

function neverEnds(id: string): string {
  return `it comes after ${quote(id)}, which has not ended and never will`;
}

function rejectUnmet(state: EngineState, row: number, minute: number, why: string): void {
  state.held.delete(row);
  refuse(state, row, minute, { code: 'UnmetDependency', problem: `${why}; name actions in "after" that end` });
}

function outcomeOf(state: EngineState, id: string): Outcome {
  const name = state.names.find(id);
  const row = state.rowOf(name);
  if (row === FINISHED_EARLIER) return state.cancelledEarlier.has(id) ? 'failed' : 'ended';
  if (row >= 0) {
    const status = state.actions.status(row);
    return status === Status.ended ? 'ended' : status === Status.cancelled ? 'failed' : 'open';
  }
  return rowsToCome(state, name).size > 0 || mayStillArrive(state, id) ? 'open' : 'failed';
}

const NONE: ReadonlySet<number> = new Set();

/** Rows of this name that are not admitted yet. */
function rowsToCome(state: EngineState, name: number): ReadonlySet<number> {
  if (state.futureRows === null) {
    const { actions } = state;
    state.futureRows = new Map();
    for (let row = 0; row < actions.count; row++) if (actions.status(row) === Status.future) noteFuture(state, row);
  }
  return state.futureRows.get(name) ?? NONE;
}

/** Notes an action that is to be admitted, once such actions have been looked up. */
export function noteFuture({ futureRows, actions }: EngineState, row: number): void {
  if (futureRows === null) return;
  const name = actions.name[row]!;
  const known = futureRows.get(name);
  if (known === undefined) futureRows.set(name, new Set([row]));
  else known.add(row);
}

export function forgetFuture({ futureRows, actions }: EngineState, row: number): void {
  if (futureRows !== null) futureRows.get(actions.name[row]!)?.delete(row);
}

/**
 * Whether an action comes, over others that have not been admitted, after itself. A walk skips the parts that earlier walks found free of
 * cycles, so that a long chain is walked through once.
 */
function isInCycle(state: EngineState, row: number): boolean {
  const own = state.idOf(row);
  const seen = new Set<string>();
  let isTree = true;
  const next = [...(state.actions.instances[row]!.after ?? [])];
  for (let id = next.pop(); id !== undefined; id = next.pop()) {
    if (id === own) return true;
    if (state.acyclic.has(id)) continue;
    if (seen.has(id)) isTree = false;
    else next.push(...predecessorsOf(state, id));
    seen.add(id);
  }
  // Where nothing was met twice there is no cycle among the others either.
  if (isTree) for (const id of seen.add(own)) state.acyclic.add(id);
  return false;
}

/** The predecessors of an action that has made no request yet. */
function predecessorsOf(state: EngineState, id: string): readonly string[] {
  const name = state.names.find(id);
  const taken = state.rowOf(name);
  const [first] = taken >= 0 ? (state.held.has(taken) ? [taken] : []) : rowsToCome(state, name);
  return first === undefined ? [] : (state.actions.instances[first]!.after ?? []);
}
