import type { LockState, StateView } from '../interchange/interchange.js';
import { putOwn } from '../interchange/own-property.js';
import { Status } from '../tables/action-table.js';
import { LockKind } from '../tables/lock-table.js';
import { byCodeUnit } from './action-kind.js';
import type { EngineState } from './engine-state.js';

/** The rows of one status in the order that means something: starts, requests or first requests. */
export function rowsOf(state: EngineState, status: number): number[] {
  const { actions } = state;
  const rows: number[] = [];
  for (let row = 0; row < actions.count; row++) if (actions.status(row) === status) rows.push(row);
  if (status === Status.running) return rows.sort((a, b) => actions.started(a) - actions.started(b));
  if (status === Status.waiting) return rows.sort((a, b) => actions.request(a) - actions.request(b));
  return rows.sort((a, b) => actions.firstRequest(a) - actions.firstRequest(b));
}

/** All locks of the state, by name in code-unit order. */
export function lockStates(state: EngineState): Record<string, LockState> {
  const { actions, locks, names } = state;
  const record: Record<string, LockState> = {};
  const numbers = Array.from({ length: locks.count }, (_, lock) => lock);
  const sorted = numbers
    .filter((lock) => locks.kind[lock] !== LockKind.level)
    .sort((a, b) => byCodeUnit(names.texts[locks.name[a]!]!, names.texts[locks.name[b]!]!));
  for (const lock of sorted) {
    const queue: string[] = [];
    for (let place = locks.head[lock]!; place >= 0; place = actions.pool.after(place))
      queue.push(state.idOf(actions.pool.owner(place)));
    const rows = locks.holdersOf(lock).sort((a, b) => actions.started(a) - actions.started(b));
    const holders = rows.map(state.idOf);
    const held_by = holders[0] ?? null;
    putOwn(
      record,
      names.texts[locks.name[lock]!]!,
      locks.capacity(lock) > 1 ? { held_by, queue, holders } : { held_by, queue },
    );
  }
  return record;
}

/** The state as callbacks see it. Each property is computed when it is read. */
export function stateView(state: EngineState, t: number): StateView {
  const ids = (status: number) => rowsOf(state, status).map(state.idOf);
  return {
    t,
    get at() {
      return state.isoOf(t);
    },
    get running() {
      return ids(Status.running);
    },
    get waiting() {
      return ids(Status.waiting);
    },
    get suspended() {
      return ids(Status.suspended);
    },
    get locks() {
      return lockStates(state);
    },
    get resources() {
      return state.resources.toRecord();
    },
  };
}
