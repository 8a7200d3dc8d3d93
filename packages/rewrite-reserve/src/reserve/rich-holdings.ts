import { type CompiledUses, MODE, NO_MARK, type PathUse, REACH, USE_WORDS } from '../intern/compiled-uses.js';
import { grown } from '../intern/growing-words.js';
import { NO_PLACE, type PathTable } from '../intern/path-table.js';
import { areAlone, markUses, type UseTables } from './lone-uses.js';
import { PathHoldings, type PointHolders } from './path-holdings.js';

/** What the holdings need of their ledger at a call: the stamps, the last ticket of earlier transactions, all holders of a resource. */
export interface LedgerView {
  readonly stamps: Uint32Array;
  readonly floor: number;
  holders(resource: number): readonly number[];
}

/**
 * What footprints with adds or paths hold, beside the stamps of a ledger. An adder stamps its resource as exclusively held, which
 * keeps readers and writers away without their knowing of adds; only other adders look at `adders`. The point at a path is a
 * resource like a flat key; subtrees and ranges have holdings of their own.
 */
export class RichHoldings {
  /** Per resource the ticket of its first adder, while all of its holders are adders. */
  private adders = new Uint32Array(0);
  private readonly along: PathHoldings;

  constructor(
    private readonly paths: PathTable,
    private readonly allHolders: boolean,
  ) {
    this.along = new PathHoldings(paths, allHolders);
  }

  /** Makes room for this many resources, and for all places. */
  reach(resources: number): void {
    if (resources > this.adders.length) this.adders = grown(this.adders, resources);
    this.along.reach();
  }

  /** Whether reads and writes of single resources have nothing to look at but their stamps. */
  get isNarrow(): boolean {
    return !this.along.hasWide;
  }

  /** Marks what is above points that the ledger has stamped itself: `place * 4 + mode` at every position. */
  markAbove(above: Uint32Array, start: number, end: number, floor: number, ticket: number): void {
    for (let at = start; at < end; at++) this.along.markUpwards(above[at]! >>> 2, above[at]! & 3, floor, ticket);
  }

  /** Whether the holders of a resource that is held are adders. */
  isAdded(resource: number, floor: number): boolean {
    return resource < this.adders.length && this.adders[resource]! > floor;
  }

  /** The ticket of the earliest holder that the use at `position` is in conflict with, or 0. */
  conflict(view: LedgerView, compiled: CompiledUses, position: number): number {
    const word = compiled.words[position * USE_WORDS]!;
    const isSingle = word >>> 4 <= REACH.point;
    if (isSingle && (word >>> 4 === REACH.flat || this.isNarrow)) {
      return this.ofResource(view, compiled.words[position * USE_WORDS + 1]!, word & 3);
    }
    return this.along.conflict(pathUse(compiled, position, word & 3), view.floor, this.pointHolders(view));
  }

  /** The tickets of all holders that the use at `position` is in conflict with. */
  holders(view: LedgerView, compiled: CompiledUses, position: number): readonly number[] {
    const word = compiled.words[position * USE_WORDS]!;
    if (word >>> 4 === REACH.flat) return view.holders(compiled.words[position * USE_WORDS + 1]!);
    return this.along.holders(pathUse(compiled, position, word & 3), view.floor, this.pointHolders(view));
  }

  /** Checks all uses, then marks all of them: true, or false and nothing changed. */
  hold(view: LedgerView, compiled: CompiledUses, ticket: number): boolean {
    if (!this.isFreeForAll(view, compiled)) return false;
    const { words, bounds, markedAbove, sorted } = compiled;
    if (this.allHolders || sorted === null) {
      this.markEach(view, compiled, ticket);
      return true;
    }
    const { along } = this;
    const { floor } = view;
    markUses(sorted, this.tables(view), floor, ticket);
    along.addWide(sorted.subtrees.length);
    for (let at = 0; at < sorted.ranges.length; at++) {
      const position = sorted.ranges[at]!;
      const mode = words[position * USE_WORDS]! & 3;
      along.markRange(words[position * USE_WORDS + 2]!, bounds[position]!, mode, floor, ticket);
    }
    this.markAbove(markedAbove, 0, markedAbove.length, floor, ticket);
    return true;
  }

  private tables({ stamps }: LedgerView): UseTables {
    return { stamps, cells: this.along.cells, points: this.paths.points, adders: this.adders };
  }

  /** Marks use by use, so that each is remembered and can be taken back. */
  private markEach(view: LedgerView, compiled: CompiledUses, ticket: number): void {
    forEachMark(compiled, (reach, mark, resource, position) => {
      if (reach <= REACH.point) this.stamp(view, resource, mark, ticket);
      if (reach >= REACH.point) this.along.mark(pathUse(compiled, position, mark), view.floor, ticket);
    });
  }

  /** Whether nobody is in the way of any use. */
  private isFreeForAll(view: LedgerView, compiled: CompiledUses): boolean {
    const { count, checkedAbove, sorted } = compiled;
    const { along } = this;
    const { floor } = view;
    const isClear =
      sorted !== null &&
      !along.isSurrounded(checkedAbove, floor) &&
      areAlone(sorted, this.tables(view), floor, along.hasWide);
    if (isClear) {
      for (let at = 0; at < sorted.ranges.length; at++)
        if (!this.isFree(view, compiled, sorted.ranges[at]!)) return false;
      return true;
    }
    for (let position = 0; position < count; position++) if (!this.isFree(view, compiled, position)) return false;
    for (const each of checkedAbove) if (!along.isFreeFrom(each >>> 2, each & 3, floor)) return false;
    return true;
  }

  /** Whether `conflict` finds nobody, apart from those further above than the ranges that the use may be in. */
  private isFree(view: LedgerView, compiled: CompiledUses, position: number): boolean {
    const { words } = compiled;
    const word = words[position * USE_WORDS]!;
    const reach = word >>> 4;
    if (reach === REACH.range && this.along.isQuiet(words[position * USE_WORDS + 2]!, view.floor)) return true;
    if (reach === REACH.range) return this.conflict(view, compiled, position) === 0;
    const mode = word & 3;
    if (reach === REACH.flat) return this.ofResource(view, words[position * USE_WORDS + 1]!, mode) === 0;
    const place = words[position * USE_WORDS + 2]!;
    const point = this.paths.points[place]!;
    if (point !== NO_PLACE && this.ofResource(view, point, mode) !== 0) return false;
    return (reach === REACH.point && this.isNarrow) || this.along.isFreeAt(reach, mode, place, view.floor);
  }

  /** Takes back what the latest ticket holds. */
  release({ stamps }: LedgerView, compiled: CompiledUses, ticket: number): void {
    const marks: [number, number, number, number][] = [];
    forEachMark(compiled, (...mark) => marks.push(mark));
    for (const [reach, mode, resource, position] of marks.reverse()) {
      if (reach >= REACH.point) this.along.unmark(pathUse(compiled, position, mode), ticket);
      if (reach > REACH.point || stamps[resource]! >>> 1 !== ticket) continue;
      stamps[resource] = 0;
      this.adders[resource] = 0;
    }
  }

  clear(): void {
    this.along.clear();
  }

  /** Before tickets are counted from 1 again. */
  wipe(): void {
    this.adders.fill(0);
    this.along.wipe();
  }

  private ofResource({ stamps, floor }: LedgerView, resource: number, mode: number): number {
    const stamp = stamps[resource]!;
    if (stamp >>> 1 <= floor) return 0;
    const tolerated = mode === MODE.read ? (stamp & 1) === 0 : mode === MODE.add && this.isAdded(resource, floor);
    return tolerated ? 0 : stamp >>> 1;
  }

  private pointHolders(view: LedgerView): PointHolders {
    const { points } = this.paths;
    const first = (place: number, mode: number) =>
      points[place] === NO_PLACE ? 0 : this.ofResource(view, points[place]!, mode);
    return { first, all: (place, mode) => (first(place, mode) === 0 ? [] : view.holders(points[place]!)) };
  }

  private stamp({ stamps, floor }: LedgerView, resource: number, mark: number, ticket: number): void {
    if (stamps[resource]! >>> 1 > floor) return;
    stamps[resource] = ticket * 2 + (mark === MODE.read ? 0 : 1);
    this.adders[resource] = mark === MODE.add ? ticket : 0;
  }
}

function pathUse({ words, bounds }: CompiledUses, position: number, mode: number): PathUse {
  const reach = words[position * USE_WORDS]! >>> 4;
  return { reach, mode, place: words[position * USE_WORDS + 2]!, bounds: bounds[position] };
}

/** Visits the uses that leave a mark, in order. */
export function forEachMark(
  { words, count }: CompiledUses,
  visit: (reach: number, mode: number, resource: number, position: number) => void,
): void {
  for (let position = 0; position < count; position++) {
    const word = words[position * USE_WORDS]!;
    const mark = (word >>> 2) & 3;
    if (mark !== NO_MARK) visit(word >>> 4, mark, words[position * USE_WORDS + 1]!, position);
  }
}

/** The single resources among compiled uses that leave a mark, in order. */
export function markedResources(compiled: CompiledUses): number[] {
  const found: number[] = [];
  forEachMark(compiled, (reach, _, resource) => {
    if (reach <= REACH.point) found.push(resource);
  });
  return found;
}
