import { MODE, type PathUse, REACH, tolerates } from '../intern/compiled-uses.js';
import { NO_PLACE, type PathTable } from '../intern/path-table.js';
import { RangeSet } from '../intern/range-set.js';
import type { EdgeList } from './dependency-graph.js';
import { clearUsers, MODES, UserLists, waitForUsers } from './user-lists.js';

// Nine heads per place: the latest readers, writers and adders of the point, of the whole subtree, and of something below.
const POINT = 0;
const SUBTREE = MODES;
const BELOW = 2 * MODES;
const HEADS = 3 * MODES;

/**
 * The latest users of points, subtrees and ranges along paths, for the tasks that have to wait for them. A use looks at its own place and
 * at the places above it (a range at the known places directly in it too) and leaves itself on all of them.
 */
export class PathUsers {
  private readonly users = new UserLists();
  private readonly ranges = new Map<number, RangeSet>();

  constructor(
    private readonly paths: PathTable,
    private readonly edges: EdgeList,
  ) {}

  /** Makes room for all places of the table. */
  reach(): void {
    this.users.reach(this.paths.size * HEADS);
  }

  /** Makes a task wait for the users that one of its uses is in conflict with. */
  wait(task: number, use: PathUse): void {
    const { reach, mode, place, bounds } = use;
    const own = place * HEADS;
    this.waitForSlot(task, own + SUBTREE, mode);
    if (reach !== REACH.range) this.waitForSlot(task, own + POINT, mode);
    if (reach === REACH.subtree) this.waitForSlot(task, own + BELOW, mode);
    if (reach === REACH.range) {
      const { from, to } = this.paths.bounds.at(bounds);
      this.waitForRanges(task, this.ranges.get(place)?.overlapping({ from, to }), mode);
      for (const child of this.paths.childrenWithin(place, from, to)) {
        for (const slot of [POINT, SUBTREE, BELOW]) this.waitForSlot(task, child * HEADS + slot, mode);
      }
    }
    const { parents } = this.paths;
    for (let child = place, above = parents[place]!; above !== NO_PLACE; child = above, above = parents[above]!) {
      this.waitForSlot(task, above * HEADS + SUBTREE, mode);
      if (this.ranges.size === 0) continue;
      this.waitForRanges(task, this.ranges.get(above)?.containing(this.paths.segmentOf(child)), mode);
    }
  }

  /** Leaves a task where conflicting uses will look. A write takes the place of all that it waited for. */
  mark(task: number, { reach, mode, place, bounds }: PathUse): void {
    const own = place * HEADS;
    const { parents } = this.paths;
    if (mode === MODE.write && reach === REACH.subtree) {
      for (const slot of [POINT, SUBTREE, BELOW]) clearUsers(this.users, own + slot);
      this.ranges.delete(place);
    } else if (mode === MODE.write && reach === REACH.point) clearUsers(this.users, own + POINT);
    if (reach === REACH.range) this.addRange(task, { reach, mode, place, bounds });
    else this.users.push(own + (reach === REACH.point ? POINT : SUBTREE) + mode, task);
    let above = reach === REACH.range ? place : parents[place]!;
    for (; above !== NO_PLACE; above = parents[above]!) this.users.push(above * HEADS + BELOW + mode, task);
  }

  private addRange(task: number, { mode, place, bounds: number }: PathUse): void {
    const bounds = this.paths.bounds.at(number);
    let ranges = this.ranges.get(place);
    if (ranges === undefined) {
      ranges = new RangeSet();
      this.ranges.set(place, ranges);
    }
    if (mode === MODE.write) ranges.removeWithin(bounds);
    ranges.add(bounds, mode, task);
  }

  private waitForSlot(task: number, firstHead: number, mode: number): void {
    for (let other = MODE.read; other <= MODE.add; other++) {
      if (!tolerates(other, mode)) waitForUsers(this.users, firstHead + other, task, this.edges);
    }
  }

  private waitForRanges(task: number, ranges: ReturnType<RangeSet['containing']> | undefined, mode: number): void {
    for (const range of ranges ?? []) if (!tolerates(range.mode, mode)) this.edges.add(range.user, task);
  }
}
