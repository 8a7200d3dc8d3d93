import type { ActiveRun } from './active-run.js';

/** The runs that this node has, by id, from claim to end. */
export class KnownRuns {
  private readonly runs = new Map<number, ActiveRun>();
  private waiting: (() => void)[] = [];

  get size(): number {
    return this.runs.size;
  }

  has(runId: number): boolean {
    return this.runs.has(runId);
  }

  get(runId: number): ActiveRun | undefined {
    return this.runs.get(runId);
  }

  set(run: ActiveRun): void {
    this.runs.set(run.row.id, run);
  }

  delete(runId: number): void {
    this.runs.delete(runId);
    if (this.runs.size > 0) return;
    for (const resolve of this.waiting) resolve();
    this.waiting = [];
  }

  /** Resolves when this node has none. */
  empty(): Promise<void> {
    return this.runs.size === 0 ? Promise.resolve() : new Promise((resolve) => this.waiting.push(resolve));
  }
}
