import { type Bounds, MODE, type PathUse, REACH, tolerates } from '../intern/compiled-uses.js';
import { grown } from '../intern/growing-words.js';
import { NO_PLACE, type PathTable } from '../intern/path-table.js';
import type { UsedRange } from '../intern/range-set.js';
import { HeldRanges } from './held-ranges.js';
import { HolderChains } from './holder-chains.js';
import { areQuiet, areUncovered, areUnused, BELOW_WORDS, isUsedBelow } from './near-uses.js';

// All holders of a place are remembered in four chains: of the whole subtree, and of something below that is read, written, added to.
const CHAINS = 4;
const WHOLE = 0;
const BELOW = 1;

/** The holders of the point at a place that a use of this mode is in conflict with. */
export interface PointHolders {
  /** The ticket of the first, or 0. */
  first(place: number, mode: number): number;
  all(place: number, mode: number): readonly number[];
}

/**
 * The holders of subtrees and ranges along paths, and the places below which something is held. Every use leaves a mark on all places above
 * it, so that one look shows whether anything below a place is in use; a use looks at its own place and at the places above it, and nowhere
 * else (a range at the known places directly in it too). Tickets at or below the floor belong to earlier transactions and count as free.
 */
export class PathHoldings {
  /**
   * Per place the first holder of its subtree, `ticket * 4 + mode`; all holders have the same mode. Replaced by a longer copy as places are
   * added.
   */
  private wholes = new Uint32Array(0);
  /** Per place the tickets of the first reader, writer and adder of something below it. Ranges at a place are below it. */
  private below = new Uint32Array(0);
  private readonly ranges: HeldRanges;
  /** Held subtrees and ranges: while there are none, points need not look at the places above them. */
  private wide = 0;
  private readonly chains: HolderChains | undefined;

  /** `allHolders` remembers every holder and not just the first, so that `holders` is complete. */
  constructor(
    private readonly paths: PathTable,
    allHolders: boolean,
  ) {
    this.ranges = new HeldRanges(paths);
    this.chains = allHolders ? new HolderChains() : undefined;
  }

  /** Makes room for all places of the table. */
  reach(): void {
    if (this.paths.size <= this.wholes.length) return;
    this.wholes = grown(this.wholes, this.paths.size);
    const places = this.wholes.length;
    this.below = grown(this.below, places * BELOW_WORDS);
    this.ranges.reach(places);
    this.chains?.reach(places * CHAINS);
  }

  /** Whether a subtree or range is held: otherwise a point need not look beyond itself. */
  get hasWide(): boolean {
    return this.wide > 0;
  }

  /** Whether a subtree or range is held at one of the places `above[start..end)` or around it. */
  isSurrounded(above: Uint32Array, start: number, end: number, floor: number): boolean {
    if (this.wide === 0) return false;
    const { parents } = this.paths;
    const { wholes, ranges } = this;
    for (let at = start, last = NO_PLACE; at < end; at++) {
      const first = above[at]! >>> 2;
      // The same place stands there once for each mode.
      if (first === last) continue;
      last = first;
      for (let place = first; place !== NO_PLACE; place = parents[place]!)
        if (wholes[place]! >>> 2 > floor || ranges.isRanged(place, floor)) return true;
    }
    return false;
  }

  /** Whether nothing is in use below the places `above[start..end)`. */
  areQuiet(above: Uint32Array, start: number, end: number, floor: number): boolean {
    return areQuiet(above, start, end, this.below, floor);
  }

  /** Whether no subtree is held at any of `places[start..end)`. */
  areUncovered(places: Uint32Array, start: number, end: number, floor: number): boolean {
    return this.wide === 0 || areUncovered(places, start, end, this.wholes, floor);
  }

  /** Whether nothing is in use in the subtrees `uses[start..end)`, apart from the points at their own places. */
  areUnused(uses: Uint32Array, start: number, end: number, floor: number): boolean {
    return areUnused(uses, start, end, this.wholes, this.below, floor);
  }

  /**
   * Whether no holder conflicts with a point or subtree at its place or just above it, apart from the holders of the point at its place.
   * Together with `isFreeFrom` the place above it this is the judgement of `conflict`, made without objects.
   */
  isFreeAt(reach: number, mode: number, place: number, floor: number): boolean {
    if (this.wholeHolder(place, mode, floor) !== 0) return false;
    if (reach === REACH.subtree && !this.isFreeBelow(place, mode, floor)) return false;
    const above = this.paths.parents[place]!;
    return !this.ranges.isRanged(above, floor) || !this.ranges.isUsed(above, this.paths.segmentOf(place), mode);
  }

  /** Whether no holder at a place or above it conflicts with a use below the place. */
  isFreeFrom(place: number, mode: number, floor: number): boolean {
    if (this.wide === 0) return true;
    const { parents } = this.paths;
    if (this.wholeHolder(place, mode, floor) !== 0) return false;
    for (let child = place, above = parents[place]!; above !== NO_PLACE; child = above, above = parents[above]!) {
      if (this.wholeHolder(above, mode, floor) !== 0) return false;
      if (!this.ranges.isRanged(above, floor)) continue;
      if (this.ranges.isUsed(above, this.paths.segmentOf(child), mode)) return false;
    }
    return true;
  }

  /** The ticket of the earliest holder that a use is in conflict with, or 0. */
  conflict(use: PathUse, floor: number, points: PointHolders): number {
    let found = 0;
    const take = (ticket: number) => {
      found = earlier(found, ticket);
    };
    this.visitConflicts(use, floor, {
      onHeld: take,
      onPoint: (place) => take(points.first(place, use.mode)),
      onRange: take,
    });
    return found;
  }

  /** The tickets of all holders that a use is in conflict with, ascending. Complete with `allHolders`. */
  holders(use: PathUse, floor: number, points: PointHolders): number[] {
    const found = new Set<number>();
    const takeAll = (tickets: Iterable<number>) => {
      for (const ticket of tickets) found.add(ticket);
    };
    this.visitConflicts(use, floor, {
      onHeld: (ticket, chain) => takeAll(this.chains?.holders(chain) ?? [ticket]),
      onPoint: (place) => takeAll(points.all(place, use.mode)),
      onRange: (ticket) => found.add(ticket),
    });
    return [...found].sort((a, b) => a - b);
  }

  mark({ reach, mode, place, bounds }: PathUse, floor: number, ticket: number): void {
    if (reach === REACH.range) this.markRange(place, bounds, mode, floor, ticket);
    else if (reach === REACH.subtree) this.markSubtree(place, mode, floor, ticket);
    this.markUpwards(reach === REACH.range ? place : this.paths.parents[place]!, mode, floor, ticket);
  }

  /** Marks the place of a subtree, without what is above it. */
  markSubtree(place: number, mode: number, floor: number, ticket: number): void {
    this.wide += 1;
    const isFirst = this.wholes[place]! >>> 2 <= floor;
    if (isFirst) this.wholes[place] = ticket * 4 + mode;
    this.chains?.add(place * CHAINS + WHOLE, ticket, isFirst);
  }

  /** Marks the places `uses[start..end)` of subtrees, each `place * 4 + mode`, without chains and without what is above them. */
  markSubtrees(uses: Uint32Array, start: number, end: number, floor: number, ticket: number): void {
    const { wholes } = this;
    this.wide += end - start;
    for (let at = start; at < end; at++) {
      const place = uses[at]! >>> 2;
      if (wholes[place]! >>> 2 <= floor) wholes[place] = ticket * 4 + (uses[at]! & 3);
    }
  }

  /** Marks a range whose bounds have this number, without what is at its place and above it. */
  markRange(place: number, bounds: number, mode: number, floor: number, ticket: number): void {
    this.wide += 1;
    this.ranges.add(place, bounds, mode, floor, ticket);
  }

  /** Marks a place and all places above it as having something below them. */
  markUpwards(place: number, mode: number, floor: number, ticket: number): void {
    const { parents } = this.paths;
    const { below, chains } = this;
    for (let above = place; above !== NO_PLACE; above = parents[above]!) {
      const cell = above * BELOW_WORDS + mode;
      const isFirst = below[cell]! <= floor;
      if (isFirst) below[cell] = ticket;
      // A place that was marked for this mode has all places above it marked too.
      else if (chains === undefined) return;
      chains?.add(above * CHAINS + BELOW + mode, ticket, isFirst);
    }
  }

  /** The same for every `place * 4 + mode` in `above[start..end)`, without chains. */
  markAllUpwards(above: Uint32Array, start: number, end: number, floor: number, ticket: number): void {
    const { parents } = this.paths;
    const { below } = this;
    for (let at = start; at < end; at++) {
      const mode = above[at]! & 3;
      for (let place = above[at]! >>> 2; place !== NO_PLACE; place = parents[place]!) {
        const cell = place * BELOW_WORDS + mode;
        if (below[cell]! > floor) break;
        below[cell] = ticket;
      }
    }
  }

  /** Takes back what `mark` has done for the latest ticket. */
  unmark({ reach, mode, place, bounds }: PathUse, ticket: number): void {
    const { parents } = this.paths;
    const above: number[] = [];
    let next = reach === REACH.range ? place : parents[place]!;
    for (; next !== NO_PLACE; next = parents[next]!) above.push(next);
    for (const each of above.reverse()) {
      const cell = each * BELOW_WORDS + mode;
      if (this.below[cell] === ticket) this.below[cell] = 0;
      this.chains?.undo(each * CHAINS + BELOW + mode);
    }
    if (reach !== REACH.point) this.wide -= 1;
    if (reach === REACH.range) this.ranges.remove(place, this.paths.bounds.at(bounds), ticket);
    if (reach !== REACH.subtree) return;
    if (this.wholes[place]! >>> 2 === ticket) this.wholes[place] = 0;
    this.chains?.undo(place * CHAINS + WHOLE);
  }

  /** Forgets everything, in constant time: the floor has risen above all tickets. */
  clear(): void {
    this.wide = 0;
    this.chains?.clear();
  }

  /** Frees everything, before tickets are counted from 1 again. */
  wipe(): void {
    this.wholes.fill(0);
    this.below.fill(0);
    this.ranges.wipe();
  }

  /** Visits the first holders, the points and the users of ranges that a use may be in conflict with. */
  private visitConflicts({ reach, mode, place, bounds }: PathUse, floor: number, visit: ConflictVisitor): void {
    this.visitWhole(place, mode, floor, visit);
    if (reach !== REACH.range) visit.onPoint(place);
    if (reach === REACH.subtree) this.visitBelow(place, mode, floor, visit);
    if (reach === REACH.range && isUsedBelow(this.below, place, floor))
      this.visitRange(place, this.paths.bounds.at(bounds), mode, floor, visit);
    if (this.wide > 0) this.visitAbove(place, mode, floor, visit);
  }

  private visitWhole(place: number, mode: number, floor: number, visit: ConflictVisitor): void {
    const ticket = this.wholeHolder(place, mode, floor);
    if (ticket !== 0) visit.onHeld(ticket, place * CHAINS + WHOLE);
  }

  private visitBelow(place: number, mode: number, floor: number, visit: ConflictVisitor): void {
    for (let other = MODE.read; other <= MODE.add; other++) {
      const ticket = this.below[place * BELOW_WORDS + other]!;
      if (ticket > floor && !tolerates(other, mode)) visit.onHeld(ticket, place * CHAINS + BELOW + other);
    }
  }

  /** The ranges below a place that overlap, and what is at the places directly in the bounds and below them. */
  private visitRange(place: number, bounds: Bounds, mode: number, floor: number, visit: ConflictVisitor): void {
    if (this.ranges.isRanged(place, floor)) visitRanges(this.ranges.overlapping(place, bounds), mode, visit.onRange);
    for (const child of this.paths.childrenWithin(place, bounds.from, bounds.to)) {
      this.visitWhole(child, mode, floor, visit);
      visit.onPoint(child);
      this.visitBelow(child, mode, floor, visit);
    }
  }

  /** The subtrees and ranges above a place that contain it. */
  private visitAbove(place: number, mode: number, floor: number, visit: ConflictVisitor): void {
    const { parents } = this.paths;
    for (let child = place, above = parents[place]!; above !== NO_PLACE; child = above, above = parents[above]!) {
      this.visitWhole(above, mode, floor, visit);
      if (!this.ranges.isRanged(above, floor)) continue;
      visitRanges(this.ranges.containing(above, this.paths.segmentOf(child)), mode, visit.onRange);
    }
  }

  /** The ticket of the first holder of a subtree if it does not tolerate this mode, or 0. */
  private wholeHolder(place: number, mode: number, floor: number): number {
    const held = this.wholes[place]!;
    return held >>> 2 > floor && !tolerates(held & 3, mode) ? held >>> 2 : 0;
  }

  private isFreeBelow(place: number, mode: number, floor: number): boolean {
    for (let other = MODE.read; other <= MODE.add; other++) {
      if (this.below[place * BELOW_WORDS + other]! > floor && !tolerates(other, mode)) return false;
    }
    return true;
  }
}

interface ConflictVisitor {
  /** The first holder, and the chain that has all of them. */
  onHeld(ticket: number, chain: number): void;
  onPoint(place: number): void;
  onRange(ticket: number): void;
}

function visitRanges(ranges: readonly UsedRange[], mode: number, onRange: (ticket: number) => void): void {
  for (const range of ranges) if (!tolerates(range.mode, mode)) onRange(range.user);
}

/** The smaller of two tickets, of which 0 is none. */
function earlier(a: number, b: number): number {
  return a === 0 || (b !== 0 && b < a) ? b : a;
}
