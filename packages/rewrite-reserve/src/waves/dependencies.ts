import { type CanonicalFootprint, codesEnd, codesOf, codesStart } from '../footprint/sealed-footprint.js';
import { type CompiledUses, MODE, NO_MARK, pathUseAt, REACH, tolerates, USE_WORDS } from '../intern/compiled-uses.js';
import type { KeyInterner } from '../intern/interner.js';
import type { EdgeList } from './dependency-graph.js';
import { PathUsers } from './path-users.js';
import { clearUsers, MODES, UserLists, waitForUsers } from './user-lists.js';

/**
 * Finds what every rewrite has to wait for: the earlier ones it conflicts with. Rewrites are added one by one in serial order. A rewrite
 * behind a writer is behind all that the writer waits for, so a writer clears the lists of its resource; readers and adders leave them, and
 * the lists they wait for shrink to a join. Edges stay in proportion to the uses.
 */
export class Dependencies {
  private readonly users = new UserLists();
  private readonly paths: PathUsers;

  constructor(
    private readonly interner: KeyInterner,
    readonly edges: EdgeList,
  ) {
    this.paths = new PathUsers(interner.paths, edges);
  }

  /** Adds the next task in serial order. */
  place(task: number, footprint: CanonicalFootprint): void {
    if (this.interner.compile(footprint)) this.placeCodes(task, footprint);
    else this.placeRich(task, this.interner.compileRich(footprint));
  }

  private placeCodes(task: number, footprint: CanonicalFootprint): void {
    const codes = codesOf(footprint);
    const start = codesStart(footprint);
    const end = codesEnd(footprint);
    this.users.reach(this.interner.resources * MODES);
    for (let at = start; at < end; at++) this.wait(task, codes[at]! >>> 1, codes[at]! & 1);
    for (let at = start; at < end; at++) this.mark(task, codes[at]! >>> 1, codes[at]! & 1);
  }

  /** Waits first, for all uses, and marks then: a task must not find itself. */
  private placeRich(task: number, compiled: CompiledUses): void {
    const { words, count } = compiled;
    this.users.reach(this.interner.resources * MODES);
    this.paths.reach();
    for (let position = 0; position < count; position++) {
      const word = words[position * USE_WORDS]!;
      const [reach, mode] = [word >>> 4, word & 3];
      if (reach === REACH.flat) this.wait(task, words[position * USE_WORDS + 1]!, mode);
      else this.paths.wait(task, pathUseAt(compiled, position, mode));
    }
    for (let position = 0; position < count; position++) {
      const word = words[position * USE_WORDS]!;
      const [reach, mode] = [word >>> 4, (word >>> 2) & 3];
      if (mode === NO_MARK) continue;
      if (reach === REACH.flat) this.mark(task, words[position * USE_WORDS + 1]!, mode);
      else this.paths.mark(task, pathUseAt(compiled, position, mode));
    }
  }

  private wait(task: number, resource: number, mode: number): void {
    for (let other = MODE.read; other <= MODE.add; other++) {
      if (!tolerates(other, mode)) waitForUsers(this.users, resource * MODES + other, task, this.edges);
    }
  }

  private mark(task: number, resource: number, mode: number): void {
    if (mode === MODE.write) clearUsers(this.users, resource * MODES);
    this.users.push(resource * MODES + mode, task);
  }
}
