import { compareSegments, endsAfter } from '../keys/path-keys.js';
import type { Segment } from '../keys/resource-keys.js';
import { type Bounds, tolerates } from './compiled-uses.js';
import { grown } from './growing-words.js';

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
 * The ranges below one place, sorted by their start. Beside every range stands the one with the latest end up to it, so that a search for
 * overlaps stops where no earlier range can reach. Both lists are words, because a range that comes between others moves all that follow,
 * and words move by the thousand. Ranges that are returned are valid until the next change.
 */
export class RangeSet {
  private count = 0;
  private readonly entries: Entry[] = [];
  /** Entries by their start; those behind `count` are spare. */
  private order = new Uint32Array(4);
  /** Per position the entry with the latest end up to there, the first of those. */
  private latest = new Uint32Array(4);

  /** Forgets all ranges. */
  reset(): void {
    this.count = 0;
  }

  add({ from, to }: Bounds, mode: number, user: number): void {
    const { count } = this;
    const number = this.spare();
    const entry = this.entries[number]!;
    entry.from = from;
    entry.to = to;
    entry.mode = mode;
    entry.user = user;
    const isLast = count === 0 || startOrder(this.at(count - 1).from, from) <= 0;
    const at = isLast ? count : this.countWhere((range) => startOrder(range.from, from) <= 0);
    this.count += 1;
    if (!isLast) {
      this.order.copyWithin(at + 1, at, count);
      this.latest.copyWithin(at + 1, at, count);
    }
    this.order[at] = number;
    this.latest[at] = at > 0 && !this.endsLater(number, this.latest[at - 1]!) ? this.latest[at - 1]! : number;
    for (let next = at + 1; next < this.count && this.endsLater(number, this.latest[next]!); next++)
      this.latest[next] = number;
  }

  /** Removes the range of a user that has these bounds. */
  remove(user: number, { from, to }: Bounds): void {
    const isIt = (range: UsedRange) => range.user === user && range.from === from && range.to === to;
    let at = this.countWhere((range) => startOrder(range.from, from) < 0);
    while (at < this.count && !isIt(this.at(at))) at++;
    if (at === this.count) return;
    const number = this.order[at]!;
    this.order.copyWithin(at, at + 1, this.count);
    this.latest.copyWithin(at, at + 1, this.count);
    this.count -= 1;
    this.order[this.count] = number;
    for (let next = at; next < this.count && this.latest[next] === number; next++) {
      const own = this.order[next]!;
      this.latest[next] = next > 0 && !this.endsLater(own, this.latest[next - 1]!) ? this.latest[next - 1]! : own;
    }
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
    let at = 0;
    for (let high = this.count; at < high; ) {
      const middle = (at + high) >>> 1;
      if (startOrder(this.at(middle).from, segment) <= 0) at = middle + 1;
      else high = middle;
    }
    while (--at >= 0 && endsAfter(this.latestEnd(at), segment)) {
      const range = this.at(at);
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

  /** Those of the first `count` ranges that end after `from`. */
  private reaching(from: Segment | undefined, count: number): UsedRange[] {
    const found: UsedRange[] = [];
    for (let at = count - 1; at >= 0 && endsAfter(this.latestEnd(at), from); at--) {
      const range = this.at(at);
      if (endsAfter(range.to, from)) found.push(range);
    }
    return found;
  }

  private at(position: number): Entry {
    return this.entries[this.order[position]!]!;
  }

  /** Undefined is an open end: later than all others. */
  private latestEnd(position: number): Segment | undefined {
    return this.entries[this.latest[position]!]!.to;
  }

  private endsLater(a: number, b: number): boolean {
    const [to, other] = [this.entries[a]!.to, this.entries[b]!.to];
    return other !== undefined && (to === undefined || compareSegments(to, other) > 0);
  }

  /** The number of an entry that is not in use. */
  private spare(): number {
    if (this.count < this.entries.length) return this.order[this.count]!;
    if (this.count === this.order.length) {
      this.order = grown(this.order, 0);
      this.latest = grown(this.latest, 0);
    }
    return this.entries.push(new Entry()) - 1;
  }

  /** How many ranges at the beginning fulfil a condition that no later one fulfils. */
  private countWhere(condition: (range: UsedRange) => boolean): number {
    let low = 0;
    let high = this.count;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (condition(this.at(middle))) low = middle + 1;
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
