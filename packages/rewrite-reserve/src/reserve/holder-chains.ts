import { grown } from '../intern/growing-words.js';

/**
 * All holders of every resource, for complete explanations: per resource a chain of tickets from the latest holder back
 * to the first, kept as links in typed arrays. Adding is one step; walking costs one step per holder of that resource.
 */
export class HolderChains {
  /** Per resource the entry of its latest holder. Only meaningful while the resource is held. */
  private latest = new Uint32Array(0);
  private earlier = new Uint32Array(64);
  private tickets = new Uint32Array(64);
  /** Entry 0 is the end of every chain. */
  private count = 1;

  /** Makes room for resources below `resources`. */
  reach(resources: number): void {
    if (this.latest.length < resources) this.latest = grown(this.latest, resources);
  }

  /** Notes a holder; `isFirst` when the resource was free before. */
  add(resource: number, ticket: number, isFirst: boolean): void {
    const entry = this.count++;
    if (entry === this.earlier.length) {
      this.earlier = grown(this.earlier, 0);
      this.tickets = grown(this.tickets, 0);
    }
    this.earlier[entry] = isFirst ? 0 : this.latest[resource]!;
    this.tickets[entry] = ticket;
    this.latest[resource] = entry;
  }

  /** Takes back the last `add`, which must have been for this resource. */
  undo(resource: number): void {
    this.count -= 1;
    this.latest[resource] = this.earlier[this.count]!;
  }

  /** The tickets of all holders in order of acceptance. */
  holders(resource: number): number[] {
    const found: number[] = [];
    for (let entry = this.latest[resource]!; entry !== 0; entry = this.earlier[entry]!)
      found.push(this.tickets[entry]!);
    return found.reverse();
  }

  clear(): void {
    this.count = 1;
  }
}
