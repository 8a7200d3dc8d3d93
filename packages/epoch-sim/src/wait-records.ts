import { Status } from './action-table.js';
import type { EngineState } from './engine-state.js';
import { START, VISIBILITY_CHANGE } from './event-log.js';
import type { WaitRecord } from './interchange.js';
import { rowsOf } from './state-view.js';

/** Reads from the events who had which lock last before each start that had to wait, and who is in front of those that still do. */
export function waitRecords(
  state: EngineState,
  before: { readonly running: readonly { readonly id: string }[] } | undefined,
): WaitRecord[] {
  const { actions, log } = state;
  const last = new Map<number, { row: number; released: number | null }>();
  const records: WaitRecord[] = [];
  for (const { id } of before?.running ?? []) {
    const row = state.rowOf(state.names.find(id));
    for (const lock of actions.locksOf(row)) last.set(lock, { row, released: null });
  }
  for (let i = 0; i < log.count; i++) {
    const row = log.action[i]!;
    const t = log.t[i]!;
    if (log.type[i] === START) {
      if (log.waited[i]! > 0) {
        records.push({
          action_id: state.idOf(row),
          attempt: log.attempt[i]!,
          requested_t: t - log.waited[i]!,
          started_t: t,
          locks: lockHistory(state, row, last),
          behind: [],
        });
      }
      for (const lock of actions.locksOf(row)) last.set(lock, { row, released: null });
    } else if (log.type[i] !== VISIBILITY_CHANGE) {
      for (const lock of actions.locksOf(row)) last.set(lock, { row, released: t });
    }
  }
  for (const row of rowsOf(state, Status.waiting)) {
    records.push({
      action_id: state.idOf(row),
      attempt: actions.attempt(row) + 1,
      requested_t: actions.requestedAt(row),
      started_t: null,
      locks: lockHistory(state, row, last),
      behind: inFront(state, row),
    });
  }
  return records;
}

function lockHistory(
  state: EngineState,
  row: number,
  last: ReadonlyMap<number, { row: number; released: number | null }>,
): WaitRecord['locks'] {
  return state.actions.locksOf(row).map((lock) => {
    const had = last.get(lock);
    const name = state.names.texts[state.locks.name[lock]!]!;
    return { lock: name, held_by: had === undefined ? null : state.idOf(had.row), released_t: had?.released ?? null };
  });
}

function inFront(state: EngineState, row: number): string[] {
  const { actions, locks } = state;
  const ids = new Set<string>();
  const end = actions.lockStart(row) + actions.lockCount(row);
  for (let place = actions.lockStart(row); place < end; place++) {
    for (
      let ahead = locks.head[actions.pool.lock(place)]!;
      ahead !== place && ahead >= 0;
      ahead = actions.pool.after(ahead)
    )
      ids.add(state.idOf(actions.pool.owner(ahead)));
  }
  return [...ids];
}
