import { byCodeUnit } from './action-kind.js';
import { Status } from './action-table.js';
import type { EngineState } from './engine-state.js';
import type { LockState, StateView } from './interchange.js';
import { putOwn } from './own-property.js';

/** The rows of one status in the order that means something: starts, requests or first requests. */
export function rowsOf(state: EngineState, status: number): number[] {
  const { actions } = state;
  const rows: number[] = [];
  for (let row = 0; row < actions.count; row++) if (actions.status(row) === status) rows.push(row);
  if (status === Status.running) return rows.sort((a, b) => actions.started(a) - actions.started(b));
  if (status === Status.waiting) return rows.sort((a, b) => actions.request(a) - actions.request(b));
  return rows.sort((a, b) => actions.firstRequest(a) - actions.firstRequest(b));
}

/** All locks that the state knows, by name in code-unit order. */
export function lockStates(state: EngineState): Record<string, LockState> {
  const { actions, locks, names } = state;
  const record: Record<string, LockState> = {};
  const sorted = Array.from({ length: locks.count }, (_, lock) => lock).sort((a, b) =>
    byCodeUnit(names.texts[locks.name[a]!]!, names.texts[locks.name[b]!]!),
  );
  for (const lock of sorted) {
    const queue: string[] = [];
    for (let place = locks.head[lock]!; place >= 0; place = actions.pool.after(place))
      queue.push(state.idOf(actions.pool.owner(place)));
    const holder = locks.holder[lock]!;
    putOwn(record, names.texts[locks.name[lock]!]!, { held_by: holder < 0 ? null : state.idOf(holder), queue });
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
