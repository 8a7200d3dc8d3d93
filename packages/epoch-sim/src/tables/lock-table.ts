import type { ActionTable } from './action-table.js';
import { grown } from './columns.js';

/** The kinds of queue. A narrow lock has one unit and its holder in a column; of wide ones the holders are sets. */
export const LockKind = { narrow: 0, wide: 1, priority: 2, level: 3 } as const;

/** Taken from the free units of a lock that is down. */
const DOWN = 2 ** 30;
/** The most units that a lock can have. */
export const MAX_CAPACITY = 2 ** 29;

/**
 * Locks, their holders and their queues. A queue is a list of pool places of the action table: by request, or by priority and then by
 * request. A level is the queue for a resource; the table does not decide whether its first waiter may start.
 */
export class LockTable {
  count = 0;
  kind = new Uint8Array(0);
  /** Free units; far below zero while the lock is down. */
  free = new Int32Array(0);
  /** The holder of a narrow lock, or -1. */
  holder = new Int32Array(0);
  head = new Int32Array(0);
  tail = new Int32Array(0);
  name = new Int32Array(0);
  /** Holders of locks that are not narrow. */
  #holders = new Map<number, Set<number>>();
  #capacity = new Map<number, number>();
  /** Locks whose first waiter may be able to start; each is listed once. */
  dirty: number[] = [];
  isDirty = new Uint8Array(0);

  add(name: number, kind: number = LockKind.narrow, capacity = 1): number {
    const lock = this.count++;
    if (this.holder.length < this.count) {
      this.kind = grown(this.kind, this.count);
      this.free = grown(this.free, this.count);
      this.holder = grown(this.holder, this.count, -1);
      this.head = grown(this.head, this.count, -1);
      this.tail = grown(this.tail, this.count, -1);
      this.name = grown(this.name, this.count);
      this.isDirty = grown(this.isDirty, this.count);
    }
    this.kind[lock] = kind;
    this.free[lock] = capacity;
    this.holder[lock] = -1;
    this.head[lock] = -1;
    this.tail[lock] = -1;
    this.name[lock] = name;
    if (kind !== LockKind.narrow) {
      this.#holders.set(lock, new Set());
      this.#capacity.set(lock, capacity);
    }
    return lock;
  }

  /** Whether any lock has several units or a queue by priority. */
  get hasWide(): boolean {
    return this.#holders.size > 0;
  }

  capacity(lock: number): number {
    return this.#capacity.get(lock) ?? 1;
  }

  /** The rows that hold units of a lock, in no order that means anything. */
  holdersOf(lock: number): number[] {
    if (this.kind[lock] !== LockKind.narrow) return [...this.#holders.get(lock)!];
    return this.holder[lock]! < 0 ? [] : [this.holder[lock]!];
  }

  isDown(lock: number): boolean {
    return this.free[lock]! < -MAX_CAPACITY;
  }

  setDown(lock: number): void {
    this.free[lock]! -= DOWN;
  }

  setUp(lock: number): void {
    this.free[lock]! += DOWN;
    if (this.head[lock]! >= 0) this.touch(lock);
  }

  touch(lock: number): void {
    if (this.isDirty[lock] === 1) return;
    this.isDirty[lock] = 1;
    this.dirty.push(lock);
  }

  /** Puts an action into the queues of all its locks: behind all others, or behind those of its priority. */
  join(actions: ActionTable, row: number): void {
    const { pool } = actions;
    const end = actions.lockStart(row) + actions.lockCount(row);
    for (let place = actions.lockStart(row); place < end; place++) {
      const lock = pool.lock(place);
      let last = this.tail[lock]!;
      if (this.kind[lock] === LockKind.priority) last = this.#lastNotBelow(actions, last, actions.priority[row]!);
      const next = last === this.tail[lock] ? -1 : last < 0 ? this.head[lock]! : pool.after(last);
      pool.setBefore(place, last);
      pool.setAfter(place, next);
      if (next < 0) this.tail[lock] = place;
      else pool.setBefore(next, place);
      if (last >= 0) {
        pool.setAfter(last, place);
      } else {
        this.head[lock] = place;
        if (this.free[lock]! > 0) this.touch(lock);
      }
    }
  }

  #lastNotBelow(actions: ActionTable, tail: number, priority: number): number {
    let place = tail;
    while (place >= 0 && actions.priority[actions.pool.owner(place)]! < priority) {
      if (place === this.head[actions.pool.lock(place)]) return -1;
      place = actions.pool.before(place);
    }
    return place;
  }

  /** Takes a place out of its queue, and returns whether it was the first. */
  #unlink(actions: ActionTable, place: number, lock: number): boolean {
    const { pool } = actions;
    const after = pool.after(place);
    // Nearly always it is the first; then no other place has to be read.
    if (this.head[lock] === place) {
      this.head[lock] = after;
      if (after < 0) this.tail[lock] = -1;
      return true;
    }
    const before = pool.before(place);
    pool.setAfter(before, after);
    if (after < 0) this.tail[lock] = before;
    else pool.setBefore(after, before);
    return false;
  }

  /** Takes an action out of its queues and makes it a holder of all its locks. */
  seize(actions: ActionTable, row: number): void {
    const { pool } = actions;
    const end = actions.lockStart(row) + actions.lockCount(row);
    for (let place = actions.lockStart(row); place < end; place++) {
      const lock = pool.lock(place);
      this.#unlink(actions, place, lock);
      if (this.kind[lock] === LockKind.narrow) {
        this.holder[lock] = row;
        this.free[lock] = 0;
        continue;
      }
      if (this.kind[lock] !== LockKind.level) {
        this.#holders.get(lock)!.add(row);
        this.free[lock]! -= pool.units(place);
      }
      if (this.head[lock]! >= 0 && this.free[lock]! > 0) this.touch(lock);
    }
  }

  /** Takes a waiting action out of its queues; the actions behind it may be able to start. */
  leave(actions: ActionTable, row: number): void {
    const end = actions.lockStart(row) + actions.lockCount(row);
    for (let place = actions.lockStart(row); place < end; place++) {
      const lock = actions.pool.lock(place);
      const wasFirst = this.#unlink(actions, place, lock);
      if (wasFirst && this.head[lock]! >= 0 && this.free[lock]! > 0) this.touch(lock);
    }
  }

  release(actions: ActionTable, row: number): void {
    const { pool } = actions;
    const end = actions.lockStart(row) + actions.lockCount(row);
    for (let place = actions.lockStart(row); place < end; place++) {
      const lock = pool.lock(place);
      if (this.kind[lock] === LockKind.narrow) {
        this.holder[lock] = -1;
        this.free[lock]!++;
      } else if (this.kind[lock] !== LockKind.level) {
        this.#holders.get(lock)!.delete(row);
        this.free[lock]! += pool.units(place);
      }
      if (this.head[lock]! >= 0) this.touch(lock);
    }
  }

  /** Whether an action is first in all its queues and the units it asks for are free. */
  isFirst(actions: ActionTable, row: number): boolean {
    const { pool } = actions;
    const end = actions.lockStart(row) + actions.lockCount(row);
    for (let place = actions.lockStart(row); place < end; place++) {
      const lock = pool.lock(place);
      if (this.free[lock]! < pool.units(place) || this.head[lock] !== place) return false;
    }
    return true;
  }

  clone(): LockTable {
    const copy = new LockTable();
    copy.count = this.count;
    for (const column of ['free', 'holder', 'head', 'tail', 'name'] as const)
      copy[column] = this[column].slice(0, this.count);
    copy.kind = this.kind.slice(0, this.count);
    copy.isDirty = this.isDirty.slice(0, this.count);
    copy.dirty = this.dirty.slice();
    copy.#capacity = new Map(this.#capacity);
    for (const [lock, holders] of this.#holders) copy.#holders.set(lock, new Set(holders));
    return copy;
  }
}
