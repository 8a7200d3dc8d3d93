import type { WaitingReason } from '../../model/run.js';
import type { WaitingCount } from '../../store/job-store.js';

/**
 * The jobs with waiting runs, as far as this node knows. Runs count from the decision that they wait, before that is written: otherwise a
 * later run of the job would find a slot that has become free meanwhile, and overtake them.
 */
export class WaitingJobs {
  private known = new Map<number, Set<WaitingReason>>();
  private readonly unwritten = new Map<number, number>();
  /** The jobs among them whose runs have not waited before. */
  private readonly fresh = new Set<number>();
  /** The jobs that had a run begin to wait since each look at the database began. */
  private readonly touched = new Set<{ readonly touched: Set<number>; readonly fresh: Set<number> }>();

  get size(): number {
    return this.known.size;
  }

  ids(): readonly number[] {
    return [...this.known.keys()];
  }

  has(jobId: number): boolean {
    return this.known.has(jobId);
  }

  reasonOf(jobId: number): WaitingReason | undefined {
    return this.known.get(jobId)?.values().next().value;
  }

  /** Whether the job has a run that must wait and is not yet written as waiting. */
  hasUnwritten(jobId: number): boolean {
    return this.unwritten.has(jobId);
  }

  isOnlyFor(jobId: number, reason: WaitingReason): boolean {
    const reasons = this.known.get(jobId);
    return reasons !== undefined && reasons.size === 1 && reasons.has(reason);
  }

  /** Records the decision that a run waits. `isBack`: it was taken out, and could not be dispatched after all. */
  announce(jobId: number, reason: WaitingReason, { isBack }: { isBack: boolean }): void {
    this.note(jobId, reason);
    this.unwritten.set(jobId, (this.unwritten.get(jobId) ?? 0) + 1);
    if (!isBack) this.fresh.add(jobId);
    for (const watch of this.touched) {
      watch.touched.add(jobId);
      if (!isBack) watch.fresh.add(jobId);
    }
  }

  /** Called when the decision is written, or will not be. */
  settle(jobId: number): void {
    const left = (this.unwritten.get(jobId) ?? 1) - 1;
    if (left === 0) {
      this.unwritten.delete(jobId);
      this.fresh.delete(jobId);
    } else this.unwritten.set(jobId, left);
  }

  /** Begins a look at the database. Runs that begin to wait before it ends may be missing from its result. */
  watch(): { readonly touched: ReadonlySet<number>; readonly fresh: ReadonlySet<number>; end(): void } {
    const watch = { touched: new Set(this.unwritten.keys()), fresh: new Set(this.fresh) };
    this.touched.add(watch);
    return { ...watch, end: () => void this.touched.delete(watch) };
  }

  /** Replaces the known counts by those found, except for jobs that were touched meanwhile. */
  replace(found: readonly WaitingCount[], touched: ReadonlySet<number>): void {
    const before = this.known;
    this.known = new Map();
    for (const { jobId, reason } of found) this.note(jobId, reason);
    for (const jobId of touched) for (const reason of before.get(jobId) ?? []) this.note(jobId, reason);
  }

  forget(jobId: number): void {
    this.known.delete(jobId);
  }

  private note(jobId: number, reason: WaitingReason): void {
    this.known.set(jobId, (this.known.get(jobId) ?? new Set()).add(reason));
  }
}
