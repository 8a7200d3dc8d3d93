import type { ActionTable } from './action-table.js';
import { type Column, grown } from './columns.js';

/** Locks, their holders and their queues. A queue is a list of pool places of the action table. */
export class LockTable {
  count = 0;
  holder = new Int32Array(0);
  head = new Int32Array(0);
  tail = new Int32Array(0);
  name = new Int32Array(0);
  /** Locks whose first waiter may be able to start; each is listed once. */
  dirty: number[] = [];
  isDirty = new Uint8Array(0);

  add(name: number): number {
    const lock = this.count++;
    if (this.holder.length < this.count) {
      this.holder = grown(this.holder, this.count, -1);
      this.head = grown(this.head, this.count, -1);
      this.tail = grown(this.tail, this.count, -1);
      this.name = grown(this.name, this.count);
      this.isDirty = grown(this.isDirty, this.count);
    }
    this.holder[lock] = -1;
    this.head[lock] = -1;
    this.tail[lock] = -1;
    this.name[lock] = name;
    return lock;
  }

  touch(lock: number): void {
    if (this.isDirty[lock] === 1) return;
    this.isDirty[lock] = 1;
    this.dirty.push(lock);
  }

  /** Puts an action behind all others in the queues of all its locks. */
  join(actions: ActionTable, row: number): void {
    const { pool } = actions;
    const end = actions.lockStart(row) + actions.lockCount(row);
    for (let place = actions.lockStart(row); place < end; place++) {
      const lock = pool.lock(place);
      const last = this.tail[lock]!;
      pool.setBefore(place, last);
      pool.setAfter(place, -1);
      this.tail[lock] = place;
      if (last >= 0) {
        pool.setAfter(last, place);
      } else {
        this.head[lock] = place;
        if (this.holder[lock]! < 0) this.touch(lock);
      }
    }
  }

  /** Takes an action out of its queues and makes it the holder of all its locks. */
  seize(actions: ActionTable, row: number): void {
    const { pool } = actions;
    const end = actions.lockStart(row) + actions.lockCount(row);
    for (let place = actions.lockStart(row); place < end; place++) {
      const lock = pool.lock(place);
      const after = pool.after(place);
      // Nearly always it is the first; then nobody else has to be looked at.
      if (this.head[lock] === place) {
        this.head[lock] = after;
        if (after < 0) this.tail[lock] = -1;
      } else {
        const before = pool.before(place);
        pool.setAfter(before, after);
        if (after < 0) this.tail[lock] = before;
        else pool.setBefore(after, before);
      }
      this.holder[lock] = row;
    }
  }

  release(actions: ActionTable, row: number): void {
    const { pool } = actions;
    const end = actions.lockStart(row) + actions.lockCount(row);
    for (let place = actions.lockStart(row); place < end; place++) {
      const lock = pool.lock(place);
      this.holder[lock] = -1;
      if (this.head[lock]! >= 0) this.touch(lock);
    }
  }

  /** Whether an action is first in the queues of all its locks and all are free. */
  isFirst(actions: ActionTable, row: number): boolean {
    const { pool } = actions;
    const end = actions.lockStart(row) + actions.lockCount(row);
    for (let place = actions.lockStart(row); place < end; place++) {
      const lock = pool.lock(place);
      if (this.holder[lock]! >= 0 || this.head[lock] !== place) return false;
    }
    return true;
  }

  /** Takes over holders and names; all queues are empty. */
  takeColumns(columns: ReadonlyMap<string, Column>): void {
    this.holder = columns.get('holder') as Int32Array<ArrayBuffer>;
    this.name = columns.get('name') as Int32Array<ArrayBuffer>;
    this.count = this.holder.length;
    this.head = new Int32Array(this.count).fill(-1);
    this.tail = new Int32Array(this.count).fill(-1);
    this.isDirty = new Uint8Array(this.count);
  }

  clone(): LockTable {
    const copy = new LockTable();
    copy.count = this.count;
    for (const column of ['holder', 'head', 'tail', 'name'] as const) copy[column] = this[column].slice(0, this.count);
    copy.isDirty = this.isDirty.slice(0, this.count);
    copy.dirty = this.dirty.slice();
    return copy;
  }
}
