/** Minutes that have a list of their own; later ones share one list until the window reaches them. */
export const WINDOW = 2048;

/** Doubly linked lists over item numbers. An item is in one list at a time, so all calendars of a state share one pair. */
export interface Links {
  prev: Int32Array;
  next: Int32Array;
  /** The minute each listed item is due. */
  due: Float64Array;
}

/**
 * Items by the minute they are due, each minute in the order of arrival. Putting, removing and taking are O(1); no order is
 * kept between items of different minutes, because the minute itself is the place.
 */
export class MinuteCalendar {
  base: number;
  /** No item of the window is due before this minute: where the search for the next one begins. */
  #soonest = 0;
  readonly heads: Int32Array;
  readonly tails: Int32Array;

  constructor(base = 0, heads?: Int32Array, tails?: Int32Array) {
    this.base = base;
    this.#soonest = heads === undefined ? base + WINDOW : base;
    this.heads = heads ?? new Int32Array(WINDOW + 1).fill(-1);
    this.tails = tails ?? new Int32Array(WINDOW + 1).fill(-1);
  }

  clone(): MinuteCalendar {
    return new MinuteCalendar(this.base, this.heads.slice(), this.tails.slice());
  }

  /** Adds an item behind the others of its minute `links.due[item]`, which is not before the window. */
  put(links: Links, item: number): void {
    const due = links.due[item]!;
    const slot = this.#slot(due);
    if (due < this.#soonest) this.#soonest = due;
    const last = this.tails[slot]!;
    links.prev[item] = last;
    links.next[item] = -1;
    if (last < 0) this.heads[slot] = item;
    else links.next[last] = item;
    this.tails[slot] = item;
  }

  remove(links: Links, item: number): void {
    const slot = this.#slot(links.due[item]!);
    const before = links.prev[item]!;
    const after = links.next[item]!;
    if (before < 0) this.heads[slot] = after;
    else links.next[before] = after;
    if (after < 0) this.tails[slot] = before;
    else links.prev[after] = before;
  }

  /** Empties the list of `minute` and gives its first item, or -1; the others follow by `links.next`. */
  take(minute: number): number {
    const slot = minute - this.base;
    const first = this.heads[slot]!;
    if (first >= 0) {
      this.heads[slot] = -1;
      this.tails[slot] = -1;
    }
    return first;
  }

  /** The first minute from `from` on that has an item, or Infinity. */
  nextMinute(links: Links, from: number): number {
    const { heads, base } = this;
    let slot = Math.max(0, Math.max(from, this.#soonest) - base);
    while (slot < WINDOW && heads[slot]! < 0) slot++;
    this.#soonest = base + Math.min(slot, WINDOW);
    if (slot < WINDOW) return base + slot;
    if (heads[WINDOW]! < 0) return Number.POSITIVE_INFINITY;
    let soonest = Number.POSITIVE_INFINITY;
    for (let item = heads[WINDOW]!; item >= 0; item = links.next[item]!) soonest = Math.min(soonest, links.due[item]!);
    return soonest;
  }

  /** Moves the window so that it begins at `minute`; everything before must have been taken. */
  turnTo(links: Links, minute: number): void {
    if (minute < this.base + WINDOW) return;
    this.base = minute;
    this.#soonest = minute + WINDOW;
    let item = this.heads[WINDOW]!;
    this.heads[WINDOW] = -1;
    this.tails[WINDOW] = -1;
    while (item >= 0) {
      const after = links.next[item]!;
      this.put(links, item);
      item = after;
    }
  }

  /** The items of one minute in their order. For rare questions only. */
  *itemsOf(links: Links, minute: number): Generator<number> {
    for (let item = this.heads[this.#slot(minute)]!; item >= 0; item = links.next[item]!)
      if (links.due[item] === minute) yield item;
  }

  /** Every item, by list. For rare questions only. */
  *items(links: Links): Generator<number> {
    for (const head of this.heads) for (let item = head; item >= 0; item = links.next[item]!) yield item;
  }

  #slot(due: number): number {
    return Math.min(due - this.base, WINDOW);
  }
}
