import { grown } from './columns.js';
import { FarMinutes, PAGE } from './far-minutes.js';
import { RemovedItems } from './removed-items.js';

/** Minutes that have a list of their own: a ring of whole pages, beginning with the page of the current minute. */
export const WINDOW = 2048;
const SLOT = WINDOW - 1;
const PAGES = WINDOW / PAGE;

/** A chunk is a cache line: where the next chunk begins, then items. */
const CHUNK = 16;
const IN_CHUNK = CHUNK - 1;
const MIN_CHUNKS = 8;

/** The cells begin with the next free cell of each minute; then come the numbers of chunks, and which minutes are used, as bits. */
const LENGTHS = WINDOW;
const USED = LENGTHS + WINDOW;
const WORDS = WINDOW / 32;
const CHUNKS = USED + WORDS;

/**
 * Items by the minute they are due, each minute in the order of arrival. Putting, removing and taking are O(1); no order is kept between
 * items of different minutes, because the minute itself is the place. The items of a minute fill chunks one after the other; the chunk that
 * is being filled links to the first, every other one to the next. All of it lies in one array, because each further one costs a look at
 * its address and length for every item; for the same reason an item does not store its place.
 *
 *     minute 7   [ link a b … o ] -> [ link p q . … ] -> back to the first
 *                                              ^ cells[7]
 */
export class MinuteCalendar {
  /** The first minute after the ring. */
  #horizon = WINDOW;
  #cells = new Int32Array(CHUNKS + MIN_CHUNKS * CHUNK);
  /** The first cell that was never in a chunk. */
  #end = CHUNKS;
  /** The first of the chunks that are free again; they are linked. */
  #free = 0;
  /** By minute of the ring; most have nothing removed. */
  #removed = new Map<number, RemovedItems>();
  #far = new FarMinutes();
  /** The items that `take` has taken; the rest of the array is meaningless. */
  taken = new Int32Array(MIN_CHUNKS * CHUNK);

  constructor(minute = 0) {
    this.#horizon = horizonAt(minute);
  }

  clone(): MinuteCalendar {
    const copy = new MinuteCalendar();
    copy.#horizon = this.#horizon;
    copy.#cells = this.#cells.slice(0, this.#end);
    copy.#end = this.#end;
    copy.#free = this.#free;
    for (const [slot, removed] of this.#removed) copy.#removed.set(slot, removed.clone());
    copy.#far = this.#far.clone();
    return copy;
  }

  /** Adds an item behind the others of its minute, which is not before the current one. */
  put(item: number, due: number): void {
    if (due >= this.#horizon) {
      this.#far.put(item, due);
      return;
    }
    const slot = due & SLOT;
    let cell = this.#cells[slot]!;
    if ((cell & IN_CHUNK) === 0) cell = this.#open(slot, cell);
    this.#cells[cell] = item;
    this.#cells[slot] = cell + 1;
  }

  /** Begins a chunk for a minute whose last one is full, or which has none, and returns its first cell for an item. */
  #open(slot: number, end: number): number {
    let chunk = this.#free;
    if (chunk !== 0) {
      this.#free = this.#cells[chunk]!;
    } else {
      chunk = this.#end;
      this.#end += CHUNK;
      if (this.#cells.length < this.#end) this.#cells = grown(this.#cells, this.#end);
    }
    const cells = this.#cells;
    const last = end === 0 ? chunk : end - CHUNK;
    cells[chunk] = end === 0 ? chunk : cells[last]!;
    cells[last] = chunk;
    cells[LENGTHS + slot]!++;
    cells[USED + (slot >> 5)]! |= 1 << (slot & 31);
    return chunk + 1;
  }

  /** Takes an item out that is due at `due`. */
  remove(item: number, due: number): void {
    if (due >= this.#horizon) {
      this.#far.remove(item, due);
      return;
    }
    const slot = due & SLOT;
    const removed = this.#removed.get(slot) ?? new RemovedItems();
    removed.add(item);
    const inLast = (this.#cells[slot]! - 1) & IN_CHUNK;
    const length = (this.#cells[LENGTHS + slot]! - 1) * (CHUNK - 1) + inLast;
    // A minute without items must not look as if something happened in it.
    if (removed.total === length) this.#clear(slot);
    else this.#removed.set(slot, removed);
  }

  /** Empties the list of `minute`, returns the number of its items and leaves them in `taken`, in their order. */
  take(minute: number): number {
    const slot = minute & SLOT;
    if (this.#cells[slot] === 0 || minute >= this.#horizon) return 0;
    const most = this.#cells[LENGTHS + slot]! * CHUNK;
    if (this.taken.length < most) this.taken = grown(this.taken, most);
    const count = this.#copy(slot, this.taken);
    this.#clear(slot);
    return count;
  }

  /** Copies the items of a minute that has some, and returns their number. */
  #copy(slot: number, to: Int32Array): number {
    const cells = this.#cells;
    const end = cells[slot]!;
    const last = (end - 1) & ~IN_CHUNK;
    let count = 0;
    let chunk = last;
    do {
      chunk = cells[chunk]!;
      const stop = chunk === last ? end : chunk + CHUNK;
      for (let cell = chunk + 1; cell < stop; cell++) to[count++] = cells[cell]!;
    } while (chunk !== last);
    return this.#removed.size === 0 ? count : this.#withoutRemoved(slot, to, count);
  }

  #withoutRemoved(slot: number, items: Int32Array, count: number): number {
    const counts = this.#removed.get(slot)?.filter();
    if (counts === undefined) return count;
    let kept = 0;
    for (let i = 0; i < count; i++) if (counts(items[i]!)) items[kept++] = items[i]!;
    return kept;
  }

  /** Frees the chunks of a minute. */
  #clear(slot: number): void {
    const cells = this.#cells;
    const last = (cells[slot]! - 1) & ~IN_CHUNK;
    const first = cells[last]!;
    cells[last] = this.#free;
    this.#free = first;
    cells[slot] = 0;
    cells[LENGTHS + slot] = 0;
    cells[USED + (slot >> 5)]! &= ~(1 << (slot & 31));
    if (this.#removed.size > 0) this.#removed.delete(slot);
  }

  /** The first minute from `from` on that has an item, or Infinity; everything before `from` must have been taken. */
  nextMinute(from: number): number {
    const cells = this.#cells;
    const start = from & SLOT;
    for (let i = 0; i < WORDS; i++) {
      const word = ((start >> 5) + i) & (WORDS - 1);
      const bits = cells[USED + word]!;
      if (bits !== 0) return from + (((word << 5) + 31 - Math.clz32(bits & -bits) - start) & SLOT);
    }
    return this.#far.soonest();
  }

  /** Moves the ring so that `minute` is in its first page; everything before must have been taken. */
  turnTo(minute: number): void {
    // The beginning of a page that is not the first one any more.
    if (minute < this.#horizon - WINDOW + PAGE) return;
    const horizon = horizonAt(minute);
    const first = Math.max(this.#horizon, horizon - WINDOW) / PAGE;
    this.#horizon = horizon;
    for (let page = first; page < horizon / PAGE; page++)
      for (const [item, due] of this.#far.release(page)) this.put(item, due);
  }

  /** The items of one minute in their order. For rare calls only. */
  itemsOf(minute: number): number[] {
    return minute < this.#horizon ? this.#listed(minute & SLOT) : this.#far.itemsOf(minute);
  }

  /** Every item, by list. For rare calls only. */
  items(): number[] {
    const items: number[] = [];
    for (let slot = 0; slot < WINDOW; slot++) for (const item of this.#listed(slot)) items.push(item);
    for (const item of this.#far.items()) items.push(item);
    return items;
  }

  #listed(slot: number): number[] {
    if (this.#cells[slot] === 0) return [];
    const items = new Int32Array(this.#cells[LENGTHS + slot]! * CHUNK);
    return Array.from(items.subarray(0, this.#copy(slot, items)));
  }
}

/** The end of a ring whose first page has `minute`. */
function horizonAt(minute: number): number {
  return (Math.floor(minute / PAGE) + PAGES) * PAGE;
}
