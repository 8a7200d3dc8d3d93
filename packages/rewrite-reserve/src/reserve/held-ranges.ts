import { type Bounds, tolerates } from '../intern/compiled-uses.js';
import { grown } from '../intern/growing-words.js';
import type { PathTable } from '../intern/path-table.js';
import { RangeSet, type UsedRange } from '../intern/range-set.js';
import { endsAfter, inBounds } from '../keys/path-keys.js';
import type { Segment } from '../keys/resource-keys.js';

// Two words per place: the ticket that last held a range below it, and that range as `number of its bounds * 4 + mode`.
const TICKET = 0;
const RANGE = 1;
const WORDS = 2;
/** Instead of a range: there are several, in a set. */
const SEVERAL = 0xffff_ffff;

/**
 * The ranges that are held below places. Most places have one at most, which is two words beside those of its neighbours; a set is
 * made for the second. A place whose ticket is at or below the floor has none.
 */
export class HeldRanges {
  /** Replaced by a longer copy as places are added. The ticket of a place is at `place * 2`. */
  words = new Uint32Array(0);
  /** The sets of places that ever had several ranges at a time; they are emptied when they are next used. */
  private readonly sets = new Map<number, RangeSet>();

  constructor(private readonly paths: PathTable) {}

  /** Makes room for this many places. */
  reach(places: number): void {
    if (places * WORDS > this.words.length) this.words = grown(this.words, places * WORDS);
  }

  /** Whether a range below the place is held, or was until it was taken back. */
  isRanged(place: number, floor: number): boolean {
    return this.words[place * WORDS + TICKET]! > floor;
  }

  /** `bounds` by their number. */
  add(place: number, bounds: number, mode: number, floor: number, ticket: number): void {
    const { words } = this;
    const at = place * WORDS;
    if (words[at + TICKET]! <= floor) words[at + RANGE] = bounds * 4 + mode;
    else {
      if (words[at + RANGE] !== SEVERAL) this.makeSet(place);
      this.sets.get(place)!.add(this.paths.bounds.at(bounds), mode, ticket);
    }
    words[at + TICKET] = ticket;
  }

  /** Takes back the range that this ticket, the latest of all, has added. */
  remove(place: number, bounds: Bounds, ticket: number): void {
    const { words } = this;
    if (words[place * WORDS + RANGE] === SEVERAL) this.sets.get(place)!.remove(ticket, bounds);
    else words[place * WORDS + TICKET] = 0;
  }

  /** Whether a range below a place contains a segment and does not tolerate this mode. */
  isUsed(place: number, segment: Segment, mode: number): boolean {
    const range = this.words[place * WORDS + RANGE]!;
    if (range === SEVERAL) return this.sets.get(place)!.isUsed(segment, mode);
    if (tolerates(range & 3, mode)) return false;
    const { from, to } = this.paths.bounds.at(range >>> 2);
    return inBounds(segment, from, to);
  }

  /** The ranges below a place that have a segment in common with `[from, to)`. */
  overlapping(place: number, bounds: Bounds): readonly UsedRange[] {
    const set = this.setAt(place);
    if (set !== undefined) return set.overlapping(bounds);
    const range = this.loneAt(place);
    return endsAfter(range.to, bounds.from) && endsAfter(bounds.to, range.from) ? [range] : [];
  }

  /** The ranges below a place that contain a segment. */
  containing(place: number, segment: Segment): readonly UsedRange[] {
    const set = this.setAt(place);
    if (set !== undefined) return set.containing(segment);
    const range = this.loneAt(place);
    return inBounds(segment, range.from, range.to) ? [range] : [];
  }

  /** Before tickets are counted from 1 again. */
  wipe(): void {
    this.words.fill(0);
  }

  private setAt(place: number): RangeSet | undefined {
    return this.words[place * WORDS + RANGE] === SEVERAL ? this.sets.get(place) : undefined;
  }

  private loneAt(place: number): UsedRange {
    const range = this.words[place * WORDS + RANGE]!;
    const user = this.words[place * WORDS + TICKET]!;
    return { ...this.paths.bounds.at(range >>> 2), mode: range & 3, user };
  }

  private makeSet(place: number): void {
    const { user, mode, ...bounds } = this.loneAt(place);
    const set = this.sets.get(place) ?? new RangeSet();
    set.reset();
    set.add(bounds, mode, user);
    this.sets.set(place, set);
    this.words[place * WORDS + RANGE] = SEVERAL;
  }
}
