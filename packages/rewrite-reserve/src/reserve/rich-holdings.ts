import {
  END,
  RICH_ABOVE,
  RICH_ADDS,
  RICH_FIRST_CODE,
  RICH_POINTS,
  RICH_RANGES,
  RICH_SUBTREES,
} from '../footprint/footprint-chunk.js';
import { type CompiledUses, MODE, NO_MARK, pathUseAt, REACH, USE_WORDS } from '../intern/compiled-uses.js';
import { grown } from '../intern/growing-words.js';
import { NO_PLACE, type PathTable } from '../intern/path-table.js';
import { claimAll, unclaim } from './claim-codes.js';
import { arePointsFree } from './near-uses.js';
import { PathHoldings, type PointHolders } from './path-holdings.js';

/** The ledger's state that the holdings need at a call: the stamps, the last ticket of earlier transactions, all holders of a resource. */
export interface LedgerView {
  readonly stamps: Uint32Array;
  readonly floor: number;
  holders(resource: number): readonly number[];
}

/**
 * The holdings of footprints with adds or paths, beside the stamps of a ledger. An adder stamps its resource as exclusively held, which
 * keeps readers and writers away without any code for adds; only other adders read `adders`. The point at a path is a resource like a flat
 * key; subtrees and ranges have holdings of their own.
 */
export class RichHoldings {
  /** Per resource the ticket of its first adder, while all of its holders are adders. */
  private adders = new Uint32Array(0);
  private readonly along: PathHoldings;

  constructor(
    private readonly paths: PathTable,
    allHolders: boolean,
  ) {
    this.along = new PathHoldings(paths, allHolders);
  }

  /** Makes room for this many resources, and for all places. */
  reach(resources: number): void {
    if (resources > this.adders.length) this.adders = grown(this.adders, resources);
    this.along.reach();
  }

  /** Whether the holders of a resource that is held are adders. */
  isAdded(resource: number, floor: number): boolean {
    return resource < this.adders.length && this.adders[resource]! > floor;
  }

  /** The ticket of the earliest holder that the use at `position` is in conflict with, or 0. */
  conflict(view: LedgerView, compiled: CompiledUses, position: number): number {
    const word = compiled.words[position * USE_WORDS]!;
    const isSingle = word >>> 4 <= REACH.point;
    if (isSingle && (word >>> 4 === REACH.flat || !this.along.hasWide)) {
      return this.ofResource(view, compiled.words[position * USE_WORDS + 1]!, word & 3);
    }
    return this.along.conflict(pathUseAt(compiled, position, word & 3), view.floor, this.pointHolders(view));
  }

  /** The tickets of all holders that the use at `position` is in conflict with. */
  holders(view: LedgerView, compiled: CompiledUses, position: number): readonly number[] {
    const word = compiled.words[position * USE_WORDS]!;
    if (word >>> 4 === REACH.flat) return view.holders(compiled.words[position * USE_WORDS + 1]!);
    return this.along.holders(pathUseAt(compiled, position, word & 3), view.floor, this.pointHolders(view));
  }

  /**
   * Holds the uses in the lists of a piece if no other use is near them, or refuses them if a single resource is held. Undefined, and
   * nothing changed, when it takes a closer look: see `hold`.
   */
  holdLists({ stamps, floor }: LedgerView, codes: Uint32Array, piece: number, ticket: number): boolean | undefined {
    const adds = codes[piece + RICH_ADDS]!;
    const above = codes[piece + RICH_ABOVE]!;
    // Only points and flat keys, and no subtree or range is held: the stamps are enough.
    const isPlain = adds === above && !this.along.hasWide;
    if (!isPlain) {
      if (!this.isNobodyNear(stamps, floor, codes, piece)) return undefined;
      if (!this.areAddable(stamps, floor, codes, adds, codes[piece + RICH_SUBTREES]!)) return false;
    }
    const start = piece + RICH_FIRST_CODE;
    const conflict = claimAll(stamps, codes, start, adds, floor * 2 + 1, ticket * 2);
    if (conflict < adds) {
      unclaim(stamps, codes, start, conflict, ticket);
      return false;
    }
    if (adds < above) this.markWide(stamps, floor, codes, piece, ticket);
    this.along.markAllUpwards(codes, above, codes[piece + RICH_POINTS]!, floor, ticket);
    return true;
  }

  /** Whether no path of these lists meets anything in use, apart from the points that they name. */
  private isNobodyNear(stamps: Uint32Array, floor: number, codes: Uint32Array, piece: number): boolean {
    const { along } = this;
    const subtrees = codes[piece + RICH_SUBTREES]!;
    const ranges = codes[piece + RICH_RANGES]!;
    const above = codes[piece + RICH_ABOVE]!;
    const points = codes[piece + RICH_POINTS]!;
    if (along.isSurrounded(codes, above, points, floor)) return false;
    if (along.areQuiet(codes, above, points, floor)) return true;
    if (ranges < above || !along.areUncovered(codes, points, codes[piece + END]!, floor)) return false;
    return (
      along.areUnused(codes, subtrees, ranges, floor) &&
      arePointsFree(codes, subtrees, ranges, this.paths.points, stamps, floor)
    );
  }

  /** Whether these resources are free, or held by adders. */
  private areAddable(stamps: Uint32Array, floor: number, adds: Uint32Array, start: number, end: number): boolean {
    for (let at = start; at < end; at++) {
      if (stamps[adds[at]!]! >>> 1 > floor && !this.isAdded(adds[at]!, floor)) return false;
    }
    return true;
  }

  private markWide(stamps: Uint32Array, floor: number, codes: Uint32Array, piece: number, ticket: number): void {
    const subtrees = codes[piece + RICH_SUBTREES]!;
    const ranges = codes[piece + RICH_RANGES]!;
    const above = codes[piece + RICH_ABOVE]!;
    for (let at = codes[piece + RICH_ADDS]!; at < subtrees; at++)
      this.stamp(stamps, floor, codes[at]!, MODE.add, ticket);
    this.along.markSubtrees(codes, subtrees, ranges, floor, ticket);
    for (let at = ranges; at < above; at += 2)
      this.along.markRange(codes[at]! >>> 2, codes[at + 1]!, codes[at]! & 3, floor, ticket);
  }

  /** Checks all uses, then marks all of them: true, or false and nothing changed. */
  hold(view: LedgerView, compiled: CompiledUses, ticket: number): boolean {
    if (!this.isFreeForAll(view, compiled)) return false;
    forEachMark(compiled, (reach, mark, resource, position) => {
      if (reach <= REACH.point) this.stamp(view.stamps, view.floor, resource, mark, ticket);
      if (reach >= REACH.point) this.along.mark(pathUseAt(compiled, position, mark), view.floor, ticket);
    });
    return true;
  }

  /** Whether no holder conflicts with any use. */
  private isFreeForAll(view: LedgerView, compiled: CompiledUses): boolean {
    for (let position = 0; position < compiled.count; position++)
      if (!this.isFree(view, compiled, position)) return false;
    for (const each of compiled.above) if (!this.along.isFreeFrom(each >>> 2, each & 3, view.floor)) return false;
    return true;
  }

  /** Whether `conflict` finds no holder, apart from those further above than the ranges that the use may be in. */
  private isFree(view: LedgerView, compiled: CompiledUses, position: number): boolean {
    const { words } = compiled;
    const word = words[position * USE_WORDS]!;
    const reach = word >>> 4;
    if (reach === REACH.range) return this.conflict(view, compiled, position) === 0;
    const mode = word & 3;
    if (reach === REACH.flat) return this.ofResource(view, words[position * USE_WORDS + 1]!, mode) === 0;
    const place = words[position * USE_WORDS + 2]!;
    const point = this.paths.points[place]!;
    if (point !== NO_PLACE && this.ofResource(view, point, mode) !== 0) return false;
    return (reach === REACH.point && !this.along.hasWide) || this.along.isFreeAt(reach, mode, place, view.floor);
  }

  /** Takes back what the latest ticket holds. */
  release({ stamps }: LedgerView, compiled: CompiledUses, ticket: number): void {
    const marks: [number, number, number, number][] = [];
    forEachMark(compiled, (...mark) => marks.push(mark));
    for (const [reach, mode, resource, position] of marks.reverse()) {
      if (reach >= REACH.point) this.along.unmark(pathUseAt(compiled, position, mode), ticket);
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

  private stamp(stamps: Uint32Array, floor: number, resource: number, mark: number, ticket: number): void {
    if (stamps[resource]! >>> 1 > floor) return;
    stamps[resource] = ticket * 2 + (mark === MODE.read ? 0 : 1);
    this.adders[resource] = mark === MODE.add ? ticket : 0;
  }
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
