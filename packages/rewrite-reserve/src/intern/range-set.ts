import { compareSegments, endsAfter } from '../keys/path-keys.js';
import type { Segment } from '../keys/resource-keys.js';
import { type Bounds, tolerates } from './compiled-uses.js';

/** How a range is used, and the number of its user. */
export interface UsedRange extends Bounds {
  readonly mode: number;
  readonly user: number;
}

/** A range of a set: it is written over when the set is used again, so that a set that was used once needs no new memory. */
class Entry implements UsedRange {
  from: Segment | undefined = undefined;
  to: Segment | undefined = undefined;
  mode = 0;
  user = 0;
}

/**
 * The ranges below one place, sorted by their start. Beside every range stands the latest end up to it, so that a search for
 * overlaps stops where no earlier range can reach. Ranges that are given out are valid until the next change.
 */
export class RangeSet {
  private count = 0;
  /** Entries behind `count` are spare. */
  private readonly ranges: Entry[] = [];
  /** Undefined is an open end: later than all others. */
  private readonly latestEnds: (Segment | undefined)[] = [];

  /** Forgets all ranges. */
  reset(): void {
    this.count = 0;
  }

  add({ from, to }: Bounds, mode: number, user: number): void {
    const { ranges, count } = this;
    if (ranges.length === count) ranges.push(new Entry());
    const entry = ranges[count]!;
    entry.from = from;
    entry.to = to;
    entry.mode = mode;
    entry.user = user;
    const isLast = count === 0 || startOrder(ranges[count - 1]!.from, from) <= 0;
    const at = isLast ? count : this.countWhere((range) => startOrder(range.from, from) <= 0);
    this.count += 1;
    if (!isLast) {
      ranges.copyWithin(at + 1, at, count);
      ranges[at] = entry;
    }
    this.updateEnds(at);
  }

  /** Removes the range of a user that has these bounds. */
  remove(user: number, { from, to }: Bounds): void {
    const { ranges } = this;
    let at = 0;
    const isIt = (range: UsedRange) => range.user === user && range.from === from && range.to === to;
    while (at < this.count && !isIt(ranges[at]!)) at++;
    if (at === this.count) return;
    this.count -= 1;
    const entry = ranges[at]!;
    ranges.copyWithin(at, at + 1, this.count + 1);
    ranges[this.count] = entry;
    this.updateEnds(at);
  }

  /** Removes the ranges that lie within these bounds. */
  removeWithin(bounds: Bounds): void {
    const inside = this.overlapping(bounds).filter(
      ({ from, to }) =>
        startOrder(bounds.from, from) <= 0 &&
        (bounds.to === undefined || (to !== undefined && compareSegments(to, bounds.to) <= 0)),
    );
    for (const { user, from, to } of inside) this.remove(user, { from, to });
  }

  /** The ranges that have a segment in common with `[from, to)`. */
  overlapping({ from, to }: Bounds): UsedRange[] {
    return this.reaching(
      from,
      this.countWhere((range) => endsAfter(to, range.from)),
    );
  }

  /** Whether a range contains a segment and does not tolerate this mode. */
  isUsed(segment: Segment, mode: number): boolean {
    const { ranges, latestEnds } = this;
    let at = 0;
    for (let high = this.count; at < high; ) {
      const middle = (at + high) >>> 1;
      if (startOrder(ranges[middle]!.from, segment) <= 0) at = middle + 1;
      else high = middle;
    }
    while (--at >= 0 && endsAfter(latestEnds[at], segment)) {
      const range = ranges[at]!;
      if (endsAfter(range.to, segment) && !tolerates(range.mode, mode)) return true;
    }
    return false;
  }

  /** The ranges that contain a segment. */
  containing(segment: Segment): UsedRange[] {
    return this.reaching(
      segment,
      this.countWhere((range) => startOrder(range.from, segment) <= 0),
    );
  }

  /** Of the first `count` ranges those that end after `from`. */
  private reaching(from: Segment | undefined, count: number): UsedRange[] {
    const found: UsedRange[] = [];
    for (let at = count - 1; at >= 0 && endsAfter(this.latestEnds[at], from); at--) {
      const range = this.ranges[at]!;
      if (endsAfter(range.to, from)) found.push(range);
    }
    return found;
  }

  private updateEnds(from: number): void {
    for (let at = from; at < this.count; at++) {
      const { to } = this.ranges[at]!;
      const before = at === 0 ? undefined : this.latestEnds[at - 1];
      const isLater = at === 0 || (before !== undefined && (to === undefined || compareSegments(to, before) > 0));
      this.latestEnds[at] = isLater ? to : before;
    }
  }

  /** How many ranges at the beginning fulfil a condition that no later one fulfils. */
  private countWhere(condition: (range: UsedRange) => boolean): number {
    let low = 0;
    let high = this.count;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (condition(this.ranges[middle]!)) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** An open start stands before all others. */
function startOrder(a: Segment | undefined, b: Segment | undefined): number {
  if (a === undefined) return b === undefined ? 0 : -1;
  return b === undefined ? 1 : compareSegments(a, b);
}
