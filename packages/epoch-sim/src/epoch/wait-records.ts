import type { EngineState } from '../engine/engine-state.js';
import { rowsOf } from '../engine/state-view.js';
import type { WaitRecord } from '../interchange/interchange.js';
import { Status } from '../tables/action-table.js';
import { CANCEL, START, VISIBILITY_CHANGE } from '../tables/event-log.js';
import { LockKind } from '../tables/lock-table.js';

/** Names in all `behind` lists together; lists beyond it are cut, because in a long queue they grow with its square. */
const MAX_BEHIND = 1_000_000;
/** Names that even a cut list has. */
const MIN_BEHIND = 10;

/**
 * Reads from the events which action had which lock last before each start that had to wait, and which are in front of those that still
 * wait.
 */
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
    // Outages have no holder, and an action that was given up while waiting has held nothing.
    if (row < 0 || (log.type[i] === CANCEL && log.attempt[i] === 0)) continue;
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
      for (const lock of actions.locksOf(row)) {
        // Where a lock has several units it is the last one to leave that made room.
        if (state.locks.capacity(lock) === 1 || !last.has(lock)) last.set(lock, { row, released: null });
      }
    } else if (log.type[i] !== VISIBILITY_CHANGE) {
      for (const lock of actions.locksOf(row)) last.set(lock, { row, released: t });
    }
  }
  let room = MAX_BEHIND;
  for (const row of rowsOf(state, Status.waiting)) {
    const behind = inFront(state, row, Math.max(MIN_BEHIND, room));
    room -= behind.length;
    records.push({
      action_id: state.idOf(row),
      attempt: actions.attempt(row) + 1,
      requested_t: actions.requestedAt(row),
      started_t: null,
      locks: lockHistory(state, row, last),
      behind,
    });
  }
  return records;
}

function lockHistory(
  state: EngineState,
  row: number,
  last: ReadonlyMap<number, { row: number; released: number | null }>,
): WaitRecord['locks'] {
  const locks = state.actions.locksOf(row).filter((lock) => state.locks.kind[lock] !== LockKind.level);
  return locks.map((lock) => {
    const had = last.get(lock);
    const name = state.names.texts[state.locks.name[lock]!]!;
    return { lock: name, held_by: had === undefined ? null : state.idOf(had.row), released_t: had?.released ?? null };
  });
}

function inFront(state: EngineState, row: number, most: number): string[] {
  const { actions, locks } = state;
  const ids = new Set<string>();
  const end = actions.lockStart(row) + actions.lockCount(row);
  for (let place = actions.lockStart(row); place < end; place++) {
    for (
      let ahead = locks.head[actions.pool.lock(place)]!;
      ahead !== place && ahead >= 0 && ids.size < most;
      ahead = actions.pool.after(ahead)
    )
      ids.add(state.idOf(actions.pool.owner(ahead)));
  }
  return [...ids];
}
