import type { Slot } from './slot.js';

/** The runs of one job on this executor: those with a slot, in a linked list, and those that wait for one. */
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

  /** Does nothing when the run has no slot. */
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

  /** The runs with slots, in the order in which they received them. */
  *working(): Generator<Slot> {
    for (let place = this.first; place !== null; place = place.after) yield place;
  }
}
