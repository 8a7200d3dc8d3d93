import { deferred } from '@horae/clock-store';
import { type RunRow, UNOWNED } from '../../model/run.js';
import type { RunClaim } from '../../store/job-store.js';
import { type ActiveRun, claimOf } from './active-run.js';
import type { RingNode } from './ring-node.js';

const MAX_RUNS_PER_LOOK = 1_000;

/**
 * The runs that this node owns, by id, from claim to end. After a write whose answer was lost the database may assign runs to this node
 * that this object does not contain: `markUncertain` notes that, and `reconcile` hands them back.
 */
export class OwnedRuns {
  private readonly runs = new Map<number, ActiveRun>();
  private whenEmpty = deferred<void>();
  private isUncertain = false;

  constructor(private readonly node: Pick<RingNode, 'owner' | 'store' | 'log'>) {}

  get size(): number {
    return this.runs.size;
  }

  /** Whether this node owns the run under this fence. */
  has({ id, fence }: Pick<RunRow, 'id' | 'fence'>): boolean {
    return this.runs.get(id)?.row.fence === fence;
  }

  get(runId: number): ActiveRun | undefined {
    return this.runs.get(runId);
  }

  /** False: this node has meanwhile lost the run and taken it again, and the given row is outdated. */
  set(run: ActiveRun): boolean {
    const known = this.runs.get(run.row.id);
    if (known !== undefined && known.row.fence > run.row.fence) return false;
    this.runs.set(run.row.id, run);
    return true;
  }

  /** Removes the run under this fence: a run that was lost and came back under a higher fence stays. */
  delete({ id, fence }: Pick<RunRow, 'id' | 'fence'>): void {
    if (this.runs.get(id)?.row.fence === fence) this.runs.delete(id);
    if (this.runs.size > 0) return;
    this.whenEmpty.resolve();
    this.whenEmpty = deferred<void>();
  }

  /** Resolves when this node owns no runs. */
  empty(): Promise<void> {
    return this.runs.size === 0 ? Promise.resolve() : this.whenEmpty.promise;
  }

  /** Whether the database may assign runs to this node that this object does not contain. */
  get mayBeMore(): boolean {
    return this.isUncertain;
  }

  /** Notes that a write failed and may have been committed all the same. */
  markUncertain(): void {
    this.isUncertain = true;
  }

  /** Releases runs that have not ended, so that any node can take them. */
  async release(rows: readonly RunRow[]): Promise<void> {
    for (const row of rows) this.delete(row);
    await this.handBack(rows.map(claimOf));
  }

  /** Hands back runs that this node owns in the database only, as after a commit whose answer was lost. */
  async reconcile(): Promise<void> {
    if (!this.isUncertain) return;
    this.isUncertain = false;
    try {
      await this.handBack(await this.unknownClaims());
    } catch (error) {
      this.isUncertain = true;
      throw error;
    }
  }

  private async unknownClaims(): Promise<RunClaim[]> {
    const { store, owner } = this.node;
    const claims: RunClaim[] = [];
    for (let afterId = 0; ; ) {
      const rows = await store.ownedRuns({ owner, afterId, limit: MAX_RUNS_PER_LOOK });
      for (const row of rows) if (!this.has(row)) claims.push(claimOf(row));
      if (rows.length < MAX_RUNS_PER_LOOK) return claims;
      afterId = rows.at(-1)!.id;
    }
  }

  private async handBack(claims: readonly RunClaim[]): Promise<void> {
    if (claims.length === 0) return;
    await this.node.store.transaction(async (trx) => {
      await trx.handBack(claims);
      await trx.wake([UNOWNED]);
    });
  }
}
