import { type Bounds, MODE, type PathUse, REACH, tolerates } from '../intern/compiled-uses.js';
import { grown } from '../intern/growing-words.js';
import { NO_PLACE, type PathTable } from '../intern/path-table.js';
import { RangeSet } from '../intern/range-set.js';
import { HolderChains } from './holder-chains.js';

// Four cells per place, each `ticket * 4 + mode` of its first holder: of the whole subtree, and of something below the place that is
// read, written or added to. All holders of one cell have the same mode. Points are resources of the ledger and have no cell.
const SUBTREE = 0;
const BELOW = 1;
const CELLS = 4;

/** Who holds the point at a place, as far as a use of this mode is in conflict with it. */
export interface PointHolders {
  /** The ticket of the first, or 0. */
  first(place: number, mode: number): number;
  all(place: number, mode: number): readonly number[];
}

/**
 * Who holds subtrees and ranges along paths, and below which places something is held. Every use leaves a mark on all places above
 * it, so that one look shows whether anything below a place is in use; a use looks at its own place and at the places above it, and
 * nowhere else (a range at the known places directly in it too). Tickets at or below the floor belong to earlier transactions and count as free.
 */
export class PathHoldings {
  /** Replaced by a longer copy as places are added. */
  cells = new Uint32Array(0);
  /** The ranges below places that ever had some; `setOf` has their numbers. They are emptied when they are next used. */
  private readonly sets: RangeSet[] = [];
  private setOf = new Uint32Array(0);
  /** Per place the latest ticket that has held a range below it, so that most places are passed without a search. */
  private ranged = new Uint32Array(0);
  /** Held subtrees and ranges: while there are none, points need not look at the places above them. */
  private wide = 0;
  private readonly chains: HolderChains | undefined;

  /** `allHolders` remembers every holder and not just the first, so that `holders` is complete. */
  constructor(
    private readonly paths: PathTable,
    allHolders: boolean,
  ) {
    this.chains = allHolders ? new HolderChains() : undefined;
  }

  /** Makes room for all places that the table knows. */
  reach(): void {
    const needed = this.paths.size * CELLS;
    if (needed <= this.cells.length) return;
    this.cells = grown(this.cells, needed);
    this.ranged = grown(this.ranged, this.cells.length / CELLS);
    this.setOf = grown(this.setOf, this.cells.length / CELLS);
    this.chains?.reach(this.cells.length);
  }

  /** Whether a subtree or range is held: otherwise a point need not look beyond itself. */
  get hasWide(): boolean {
    return this.wide > 0;
  }

  /**
   * Whether nobody is in the way of a point or subtree at its place or just above it, apart from those who hold the point at its place.
   * Together with `isFreeFrom` the place above it this is the judgement of `conflict`, but every reservation makes it, so it is made
   * without objects.
   */
  isFreeAt(reach: number, mode: number, place: number, floor: number): boolean {
    const { cells } = this;
    const own = place * CELLS;
    const free = floor * 4 + 3;
    if (cells[own]! > free && !tolerates(cells[own]! & 3, mode)) return false;
    if (reach === REACH.subtree && !this.isFreeBelow(own, mode, free)) return false;
    const above = this.paths.parents[place]!;
    return this.ranged[above]! <= floor || !this.rangesAt(above)!.isUsed(this.paths.segmentOf(place), mode);
  }

  private isFreeBelow(own: number, mode: number, free: number): boolean {
    const { cells } = this;
    const [read, write, add] = [cells[own + 1]!, cells[own + 2]!, cells[own + 3]!];
    return !((read > free && mode !== MODE.read) || write > free || (add > free && mode !== MODE.add));
  }

  /** Whether nobody is in the way at a place or above it, as far as what is below the place is concerned. */
  isFreeFrom(place: number, mode: number, floor: number): boolean {
    if (this.wide === 0) return true;
    const { parents } = this.paths;
    if (this.single(place * CELLS + SUBTREE, mode, floor) !== 0) return false;
    for (let child = place, above = parents[place]!; above !== NO_PLACE; child = above, above = parents[above]!) {
      if (this.single(above * CELLS + SUBTREE, mode, floor) !== 0) return false;
      if (this.ranged[above]! <= floor) continue;
      if (this.rangesAt(above)!.isUsed(this.paths.segmentOf(child), mode)) return false;
    }
    return true;
  }

  /** Whether a range is held at one of these `place * 4 + mode`, or a subtree or range around it. */
  isSurrounded(above: Uint32Array, floor: number): boolean {
    if (this.wide === 0) return false;
    const { parents } = this.paths;
    const { cells, ranged } = this;
    const free = floor * 4 + 3;
    for (let at = 0, last = NO_PLACE; at < above.length; at++) {
      const first = above[at]! >>> 2;
      // The same place stands there once for each mode.
      if (first === last) continue;
      last = first;
      for (let place = first; place !== NO_PLACE; place = parents[place]!)
        if (cells[place * CELLS]! > free || ranged[place]! > floor) return true;
    }
    return false;
  }

  /** Counts subtrees that the ledger has marked itself. */
  addWide(count: number): void {
    this.wide += count;
  }

  /** Whether nothing at all is in use below a place, so that a range there meets nobody but those above it. */
  isQuiet(place: number, floor: number): boolean {
    return this.ranged[place]! <= floor && !this.isUsedBelow(place, floor);
  }

  /** The ticket of the earliest holder that a use is in conflict with, or 0. */
  conflict(use: PathUse, floor: number, points: PointHolders): number {
    let found = 0;
    const take = (ticket: number) => {
      found = earlier(found, ticket);
    };
    this.visitConflicts(use, floor, {
      onCell: (cell) => take(this.cells[cell]! >>> 2),
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
      onCell: (cell) => takeAll(this.chains?.holders(cell) ?? [this.cells[cell]! >>> 2]),
      onPoint: (place) => takeAll(points.all(place, use.mode)),
      onRange: (ticket) => found.add(ticket),
    });
    return [...found].sort((a, b) => a - b);
  }

  mark({ reach, mode, place, bounds }: PathUse, floor: number, ticket: number): void {
    if (reach === REACH.range) this.markRange(place, bounds!, mode, floor, ticket);
    else if (reach === REACH.subtree) this.markSubtree(place, mode, floor, ticket);
    this.markUpwards(reach === REACH.range ? place : this.paths.parents[place]!, mode, floor, ticket);
  }

  /** Marks the place of a subtree, without what is above it. */
  markSubtree(place: number, mode: number, floor: number, ticket: number): void {
    this.wide += 1;
    this.markCell(place * CELLS + SUBTREE, mode, floor, ticket);
  }

  /** Marks a range, without what is at its place and above it. */
  markRange(place: number, bounds: Bounds, mode: number, floor: number, ticket: number): void {
    this.wide += 1;
    if (this.setOf[place] === 0) this.setOf[place] = this.sets.push(new RangeSet());
    const ranges = this.rangesAt(place)!;
    if (this.ranged[place]! <= floor) ranges.reset();
    this.ranged[place] = ticket;
    ranges.add(bounds, mode, ticket);
  }

  /** Takes back what `mark` has done for the latest ticket. */
  unmark({ reach, mode, place, bounds }: PathUse, ticket: number): void {
    const { parents } = this.paths;
    const above: number[] = [];
    let next = reach === REACH.range ? place : parents[place]!;
    for (; next !== NO_PLACE; next = parents[next]!) above.push(next);
    for (const each of above.reverse()) this.unmarkCell(each * CELLS + BELOW + mode, ticket);
    if (reach !== REACH.point) this.wide -= 1;
    if (reach === REACH.range) this.rangesAt(place)!.remove(ticket, bounds!);
    if (reach === REACH.subtree) this.unmarkCell(place * CELLS + SUBTREE, ticket);
  }

  /** Marks a place and all places above it as having something below them. */
  markUpwards(place: number, mode: number, floor: number, ticket: number): void {
    const { parents } = this.paths;
    for (let above = place; above !== NO_PLACE; above = parents[above]!) {
      const isFirst = this.markCell(above * CELLS + BELOW + mode, mode, floor, ticket);
      // A place that was marked for this mode has all places above it marked too.
      if (!isFirst && this.chains === undefined) return;
    }
  }

  /** Forgets everything, in constant time: the floor has risen above all tickets. */
  clear(): void {
    this.wide = 0;
    this.chains?.clear();
  }

  /** Frees all cells, before tickets are counted from 1 again. */
  wipe(): void {
    this.cells.fill(0);
    this.ranged.fill(0);
  }

  /** Visits the cells, the points and the users of ranges that a use may be in conflict with. */
  private visitConflicts({ reach, mode, place, bounds }: PathUse, floor: number, visit: ConflictVisitor): void {
    const look = (cell: number) => {
      if (this.single(cell, mode, floor) !== 0) visit.onCell(cell);
    };
    const lookBelow = (at: number) => {
      for (let other = MODE.read; other <= MODE.add; other++) look(at * CELLS + BELOW + other);
    };
    look(place * CELLS + SUBTREE);
    if (reach !== REACH.range) visit.onPoint(place);
    if (reach === REACH.subtree) lookBelow(place);
    if (reach === REACH.range) {
      if (this.ranged[place]! > floor)
        this.visitRanges(this.rangesAt(place)!.overlapping(bounds!), mode, visit.onRange);
      for (const child of this.isUsedBelow(place, floor)
        ? this.paths.childrenWithin(place, bounds!.from, bounds!.to)
        : []) {
        look(child * CELLS + SUBTREE);
        visit.onPoint(child);
        lookBelow(child);
      }
    }
    if (this.wide > 0) this.visitAbove(place, mode, floor, look, visit.onRange);
  }

  private isUsedBelow(place: number, floor: number): boolean {
    for (let mode = MODE.read; mode <= MODE.add; mode++)
      if (this.cells[place * CELLS + BELOW + mode]! >>> 2 > floor) return true;
    return false;
  }

  /** The subtrees and ranges above a place that contain it. */
  private visitAbove(
    place: number,
    mode: number,
    floor: number,
    look: (cell: number) => void,
    onRange: (ticket: number) => void,
  ): void {
    const { parents } = this.paths;
    for (let child = place, above = parents[place]!; above !== NO_PLACE; child = above, above = parents[above]!) {
      look(above * CELLS + SUBTREE);
      if (this.ranged[above]! <= floor) continue;
      this.visitRanges(this.rangesAt(above)!.containing(this.paths.segmentOf(child)), mode, onRange);
    }
  }

  private visitRanges(
    ranges: ReturnType<RangeSet['containing']>,
    mode: number,
    onRange: (ticket: number) => void,
  ): void {
    for (const range of ranges) if (!tolerates(range.mode, mode)) onRange(range.user);
  }

  /** The ticket of the first holder of a cell if it does not tolerate this mode, or 0. */
  private single(cell: number, mode: number, floor: number): number {
    const held = this.cells[cell]!;
    return held >>> 2 > floor && !tolerates(held & 3, mode) ? held >>> 2 : 0;
  }

  /** Marks a cell unless it is held already, and returns whether it was free. */
  private markCell(cell: number, mode: number, floor: number, ticket: number): boolean {
    const { cells } = this;
    const isFirst = cells[cell]! >>> 2 <= floor;
    if (isFirst) cells[cell] = ticket * 4 + mode;
    this.chains?.add(cell, ticket, isFirst);
    return isFirst;
  }

  private unmarkCell(cell: number, ticket: number): void {
    if (this.cells[cell]! >>> 2 === ticket) this.cells[cell] = 0;
    this.chains?.undo(cell);
  }

  /** The ranges below a place. Those of earlier transactions are in it while `ranged` is at or below the floor. */
  private rangesAt(place: number): RangeSet | undefined {
    return this.sets[this.setOf[place]! - 1];
  }
}

interface ConflictVisitor {
  onCell(cell: number): void;
  onPoint(place: number): void;
  onRange(ticket: number): void;
}

/** The smaller of two tickets, of which 0 is none. */
function earlier(a: number, b: number): number {
  return a === 0 || (b !== 0 && b < a) ? b : a;
}
