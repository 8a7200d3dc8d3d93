import type { Slot } from './slot.js';

/** The runs of one job here: those that have a place to work, in a list of their own links, and those that wait for one. */
export class Lane {
  size = 0;
  readonly waiting: Slot[] = [];
  private first: Slot | null = null;
  private last: Slot | null = null;

  add(place: Slot): void {
    place.before = this.last;
    if (this.last === null) this.first = place;
    else this.last.after = place;
    this.last = place;
    this.size += 1;
  }

  /** Nothing happens when it has no place to work. */
  delete(place: Slot): void {
    if (place !== this.first && place.before === null) return;
    if (place.before === null) this.first = place.after;
    else place.before.after = place.after;
    if (place.after === null) this.last = place.before;
    else place.after.before = place.before;
    place.before = null;
    place.after = null;
    this.size -= 1;
  }

  /** In the order in which they got their places. */
  *working(): Generator<Slot> {
    for (let place = this.first; place !== null; place = place.after) yield place;
  }
}
