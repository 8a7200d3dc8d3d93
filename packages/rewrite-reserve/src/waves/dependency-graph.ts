import { grown } from '../intern/growing-words.js';

/**
 * Which task waits for which. The first `tasks` vertices are the tasks in serial order; those after them are joins, which have no work: a
 * join is done when everything it waits for is done, so that many tasks that wait for the same many need one edge each.
 */
export interface DependencyGraph {
  readonly tasks: number;
  readonly vertices: number;
  /** Per vertex, how many it waits for. */
  readonly waitsFor: Uint32Array;
  /** The vertices that wait for `vertex` are `followers[starts[vertex]]` to before `followers[starts[vertex + 1]]`. */
  readonly starts: Uint32Array;
  readonly followers: Uint32Array;
}

/** Collects edges from earlier vertices to later ones, without repetition, and the level of every task. */
export class EdgeList {
  private froms = new Uint32Array(256);
  private tos = new Uint32Array(256);
  private count = 0;
  private levels = new Uint32Array(256);
  /** Per vertex the last vertex that was made to wait for it, plus one: the edges of a vertex are added in a row. */
  private lastFollower = new Uint32Array(256);
  private vertices: number;

  constructor(private readonly tasks: number) {
    this.vertices = tasks;
    this.makeRoom();
    this.levels.fill(1, 0, tasks);
  }

  /** One vertex to wait for instead of several. */
  join(vertices: Iterable<number>): number {
    const join = this.vertices++;
    this.makeRoom();
    for (const vertex of vertices) this.add(vertex, join);
    return join;
  }

  /** `to` waits for `from`. */
  add(from: number, to: number): void {
    if (from === to || this.lastFollower[from] === to + 1) return;
    this.lastFollower[from] = to + 1;
    const level = this.levels[from]! + (to < this.tasks ? 1 : 0);
    if (level > this.levels[to]!) this.levels[to] = level;
    if (this.count === this.froms.length) {
      this.froms = grown(this.froms, 0);
      this.tos = grown(this.tos, 0);
    }
    this.froms[this.count] = from;
    this.tos[this.count] = to;
    this.count += 1;
  }

  /** One more than the highest level of a task that this one waits for; 1 if it waits for none. */
  levelOf(task: number): number {
    return this.levels[task]!;
  }

  graph(): DependencyGraph {
    const { vertices, count, froms, tos } = this;
    const waitsFor = new Uint32Array(vertices);
    const starts = new Uint32Array(vertices + 1);
    for (let edge = 0; edge < count; edge++) {
      waitsFor[tos[edge]!] = waitsFor[tos[edge]!]! + 1;
      starts[froms[edge]! + 1] = starts[froms[edge]! + 1]! + 1;
    }
    for (let vertex = 0; vertex < vertices; vertex++) starts[vertex + 1] = starts[vertex + 1]! + starts[vertex]!;
    const places = starts.slice();
    const followers = new Uint32Array(count);
    for (let edge = 0; edge < count; edge++) {
      const place = places[froms[edge]!]!;
      followers[place] = tos[edge]!;
      places[froms[edge]!] = place + 1;
    }
    return { tasks: this.tasks, vertices, waitsFor, starts, followers };
  }

  private makeRoom(): void {
    if (this.vertices <= this.levels.length) return;
    this.levels = grown(this.levels, this.vertices);
    this.lastFollower = grown(this.lastFollower, this.vertices);
  }
}
