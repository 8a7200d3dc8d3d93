import { compareSegments } from '../keys/path-keys.js';
import type { Path, Segment } from '../keys/resource-keys.js';
import { BoundsTable } from './bounds-table.js';
import { grown } from './growing-words.js';
import { ResourceTable } from './resource-table.js';

/** The parent of a root, and the end of a list of siblings. */
export const NO_PLACE = 0xffff_ffff;

/** Stands where the parent of a place stands otherwise: the place is the root of a warp and kind. */
const ROOT = 0xffff_ffff;
// The forms of a place's payload: a number or a text below a parent. Above come the kinds of the roots.
const NUMBER = 0;
const TEXT = 1;
const FIRST_KIND = 2;

interface SortedChildren {
  /** The latest child that is in the list. */
  readonly latest: number;
  readonly places: readonly number[];
}

/**
 * Numbers the places of paths 0, 1, 2, ...: one tree per warp and kind of key, a place for every beginning of every path that was
 * seen. The number of a place is all that is needed to walk to the places above it, whatever its segments are.
 */
export class PathTable {
  private readonly table = new ResourceTable(() => false);
  private readonly texts = new Map<string, number>();
  /** The bounds of the ranges that were seen. */
  readonly bounds = new BoundsTable((segment) => this.text(segment));
  private readonly segments: Segment[] = [];
  private readonly sorted = new Map<number, SortedChildren>();
  /** Per place its parent; `NO_PLACE` for a root. Replaced by a longer copy as places are added. */
  parents = new Uint32Array(64);
  /** Per place the number of the resource that its point is; `NO_PLACE` while no key names it. */
  points = new Uint32Array(64).fill(NO_PLACE);
  private latestChild = new Uint32Array(64);
  private earlierSibling = new Uint32Array(64);

  get size(): number {
    return this.table.size;
  }

  /** The place of a path below the root of this warp and kind. */
  place(warp: number, kind: number, path: Path): number {
    let place = this.add(ROOT, warp, FIRST_KIND + kind, NO_PLACE, '');
    for (const segment of path) {
      const [payload, form] = typeof segment === 'number' ? [segment, NUMBER] : [this.text(segment), TEXT];
      place = this.add(place, payload, form, place, segment);
    }
    return place;
  }

  /** The last segment of a place's path. */
  segmentOf(place: number): Segment {
    return this.segments[place]!;
  }

  /** The known children of a place whose segment is in `[from, to)`, in order. A missing bound is open. */
  childrenWithin(place: number, from: Segment | undefined, to: Segment | undefined): readonly number[] {
    const children = this.sortedChildren(place);
    const start = from === undefined ? 0 : this.firstAtOrAfter(children, from);
    const end = to === undefined ? children.length : this.firstAtOrAfter(children, to);
    return children.slice(start, end);
  }

  private add(header: number, payload: number, form: number, parent: number, segment: Segment): number {
    const known = this.table.size;
    const place = this.table.ofWords(header, payload, form);
    if (place < known) return place;
    if (place === this.parents.length) {
      this.parents = grown(this.parents, 0);
      this.points = grown(this.points, 0).fill(NO_PLACE, place);
      this.latestChild = grown(this.latestChild, 0);
      this.earlierSibling = grown(this.earlierSibling, 0);
    }
    this.segments.push(segment);
    this.parents[place] = parent;
    this.latestChild[place] = NO_PLACE;
    if (parent !== NO_PLACE) {
      this.earlierSibling[place] = this.latestChild[parent]!;
      this.latestChild[parent] = place;
    }
    return place;
  }

  /** Sorted at the first call; later only new children are sorted and merged in. */
  private sortedChildren(place: number): readonly number[] {
    const known = this.sorted.get(place);
    const latest = this.latestChild[place]!;
    if (known?.latest === latest) return known.places;
    const added: number[] = [];
    for (let child = latest; child !== (known?.latest ?? NO_PLACE); child = this.earlierSibling[child]!)
      added.push(child);
    const compare = (a: number, b: number) => compareSegments(this.segments[a]!, this.segments[b]!);
    // The engine's sort merges runs that are in order already: all known children are one.
    const places = [...(known?.places ?? []), ...added.sort(compare)].sort(compare);
    this.sorted.set(place, { latest, places });
    return places;
  }

  private firstAtOrAfter(children: readonly number[], bound: Segment): number {
    let low = 0;
    let high = children.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (compareSegments(this.segments[children[middle]!]!, bound) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  private text(segment: string): number {
    let number = this.texts.get(segment);
    if (number === undefined) {
      number = this.texts.size;
      this.texts.set(segment, number);
    }
    return number;
  }
}
