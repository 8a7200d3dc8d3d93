import type { RunRow } from '../run.js';
import type { ActiveRun } from './active-run.js';

/** The runs that this node has, by id, from claim to end. */
export class KnownRuns {
  private readonly runs = new Map<number, ActiveRun>();
  private waiting: (() => void)[] = [];

  get size(): number {
    return this.runs.size;
  }

  /** Whether this node has the run under that fence. */
  has({ id, fence }: Pick<RunRow, 'id' | 'fence'>): boolean {
    return this.runs.get(id)?.row.fence === fence;
  }

  get(runId: number): ActiveRun | undefined {
    return this.runs.get(runId);
  }

  /** False: this node has meanwhile lost the run and got it back, and what is given is of the time before. */
  set(run: ActiveRun): boolean {
    const known = this.runs.get(run.row.id);
    if (known !== undefined && known.row.fence > run.row.fence) return false;
    this.runs.set(run.row.id, run);
    return true;
  }

  /** Forgets the run as it was under that fence: what was lost and came back under a higher one stays. */
  delete({ id, fence }: Pick<RunRow, 'id' | 'fence'>): void {
    if (this.runs.get(id)?.row.fence === fence) this.runs.delete(id);
    if (this.runs.size > 0) return;
    for (const resolve of this.waiting) resolve();
    this.waiting = [];
  }

  /** Resolves when this node has none. */
  empty(): Promise<void> {
    return this.runs.size === 0 ? Promise.resolve() : new Promise((resolve) => this.waiting.push(resolve));
  }
}
