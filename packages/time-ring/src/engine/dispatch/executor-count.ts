import type { JobReads, RegisteredExecutor } from '../../store/job-store.js';

/** Counting again for each of ten thousand registrations would cost too much. */
const FRESH_MS = 10_000;

/**
 * How many executors are registered, including those being written. Counted by name and not by number: while many register at once, a
 * reading may already include one whose registration has not been answered yet.
 */
export class ExecutorCount {
  private known = new Set<string>();
  private readAt = Number.NEGATIVE_INFINITY;
  private readonly underWay = new Set<string>();
  /** Executors registered during a reading may be missing from it. */
  private readonly readings = new Set<Set<string>>();

  constructor(private readonly clock: { monotonicMs(): number }) {}

  /** How many executors there are besides `executor`. */
  async others(reads: Pick<JobReads, 'executors'>, executor: Named): Promise<number> {
    if (this.clock.monotonicMs() - this.readAt > FRESH_MS) await this.read(reads);
    const name = nameOf(executor);
    let count = this.known.size - Number(this.known.has(name));
    for (const other of this.underWay) if (other !== name && !this.known.has(other)) count += 1;
    return count;
  }

  begin(executor: Named): void {
    this.underWay.add(nameOf(executor));
  }

  /** Called when the registration is written, or will not be. */
  end(executor: Named, isWritten: boolean): void {
    const name = nameOf(executor);
    this.underWay.delete(name);
    if (!isWritten) return;
    this.known.add(name);
    for (const reading of this.readings) reading.add(name);
  }

  private async read(reads: Pick<JobReads, 'executors'>): Promise<void> {
    const meanwhile = new Set<string>();
    this.readings.add(meanwhile);
    try {
      const readAt = this.clock.monotonicMs();
      const found = await reads.executors();
      this.known = new Set([...found.map(nameOf), ...meanwhile]);
      this.readAt = readAt;
    } finally {
      this.readings.delete(meanwhile);
    }
  }
}

type Named = Pick<RegisteredExecutor, 'group' | 'address' | 'nodeOwner'>;

function nameOf({ group, address, nodeOwner }: Named): string {
  return JSON.stringify([group, address, nodeOwner]);
}
