import { grown } from '../intern/growing-words.js';
import type { EdgeList } from './dependency-graph.js';

/** Heads of one resource: its latest readers, writers and adders, numbered as the modes are. */
export const MODES = 3;

/**
 * Lists of vertices under numbered heads, as links in typed arrays. Heads are empty until something is put under them; entry 0 is
 * the end of every list.
 */
export class UserLists {
  private heads = new Uint32Array(256);
  private next = new Uint32Array(256);
  private vertices = new Uint32Array(256);
  private count = 1;

  /** Makes room for heads below `heads`. */
  reach(heads: number): void {
    if (heads > this.heads.length) this.heads = grown(this.heads, heads);
  }

  push(head: number, vertex: number): void {
    const entry = this.count++;
    if (entry === this.next.length) {
      this.next = grown(this.next, 0);
      this.vertices = grown(this.vertices, 0);
    }
    this.next[entry] = this.heads[head]!;
    this.vertices[entry] = vertex;
    this.heads[head] = entry;
  }

  clear(head: number): void {
    this.heads[head] = 0;
  }

  /** Whether there is more than one vertex under a head. */
  hasSeveral(head: number): boolean {
    return this.heads[head] !== 0 && this.next[this.heads[head]!] !== 0;
  }

  forEach(head: number, visit: (vertex: number) => void): void {
    for (let entry = this.heads[head]!; entry !== 0; entry = this.next[entry]!) visit(this.vertices[entry]!);
  }
}

/** Waits for all users under a head; several become one join, which the next task that waits for them finds. */
export function waitForUsers(users: UserLists, head: number, task: number, edges: EdgeList): void {
  if (users.hasSeveral(head)) {
    const several: number[] = [];
    users.forEach(head, (vertex) => several.push(vertex));
    users.clear(head);
    users.push(head, edges.join(several));
  }
  users.forEach(head, (vertex) => edges.add(vertex, task));
}

/** Forgets the users of all modes. */
export function clearUsers(users: UserLists, firstHead: number): void {
  for (let mode = 0; mode < MODES; mode++) users.clear(firstHead + mode);
}
