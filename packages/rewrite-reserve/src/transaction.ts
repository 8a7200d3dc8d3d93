import type { Blocker, ExplainLevel, Ledger } from './ledger.js';
import { PendingQueue } from './pending-queue.js';
import { checkRewrite, type PendingRewrite, writePhase } from './pending-rewrite.js';
import { PhaseList } from './phase-list.js';
import { RewriteInputError } from './rewrite-errors.js';
import { SavepointMark } from './savepoint-mark.js';
import type { CanonicalFootprint } from './sealed-footprint.js';

/** What became of one rewrite of a batch. `blockers` are empty when it was accepted or when explanations are off. */
export interface ReserveEntry {
  readonly rewrite: PendingRewrite;
  readonly accepted: boolean;
  readonly blockers: readonly Blocker[];
}

/** What became of a batch: the two counts are of this batch, the entries are in its order. */
export interface ReserveResult {
  readonly reserved: number;
  readonly conflicts: number;
  readonly entries: readonly ReserveEntry[];
}

/** Rewrites of a batch that are checked before the first of them is reserved. */
const BLOCK = 32;

const NO_BLOCKERS: readonly Blocker[] = Object.freeze([]);

/** The state of one transaction: what waits, what is held, the marks to go back to, and the count of refusals. */
export class Transaction {
  readonly queue = new PendingQueue();
  conflicts = 0;
  private marks: SavepointMark[] = [];

  constructor(
    readonly ledger: Ledger,
    private readonly explainLevel: ExplainLevel,
  ) {}

  reserve(rewrite: PendingRewrite, footprint: CanonicalFootprint): boolean {
    // Written before anything is marked: a rewrite that cannot take its phase is refused with nothing changed.
    writePhase(rewrite, 'reserved');
    if (this.ledger.hold(rewrite, footprint)) return true;
    rewrite.phase = 'aborted';
    this.conflicts += 1;
    return false;
  }

  /**
   * Checks a few rewrites, reserves them, and so on: the checks of a block do not depend on each other, so that the processor
   * fetches several rewrites from memory at once, and they are still in its caches when they are reserved. Bad input anywhere
   * takes everything back, which is the same as having checked the whole batch before.
   */
  reserveMany(rewrites: readonly PendingRewrite[], allOrNothing: boolean): ReserveResult {
    const heldBefore = this.ledger.held;
    const conflictsBefore = this.conflicts;
    const phases = new PhaseList();
    const entries: ReserveEntry[] = new Array(rewrites.length);
    const footprints: CanonicalFootprint[] = [];
    let done = 0;
    try {
      while (done < rewrites.length) {
        const from = done;
        const to = Math.min(from + BLOCK, rewrites.length);
        for (let at = from; at < to; at++) footprints[at - from] = checkRewrite(rewrites[at]!);
        for (; done < to; done++) {
          const rewrite = rewrites[done]!;
          const footprint = footprints[done - from]!;
          phases.note(done, rewrite.phase);
          const accepted = this.reserve(rewrite, footprint);
          entries[done] = { rewrite, accepted, blockers: accepted ? NO_BLOCKERS : this.refusal(footprint) };
        }
      }
    } catch (error) {
      this.ledger.release(heldBefore);
      this.conflicts = conflictsBefore;
      // Backwards: a rewrite that is in the batch twice gets its first phase back.
      for (let at = done - 1; at >= 0; at--) rewrites[at]!.phase = phases.at(at);
      throw error;
    }
    const conflicts = this.conflicts - conflictsBefore;
    if (!allOrNothing || conflicts === 0) return { reserved: rewrites.length - conflicts, conflicts, entries };
    this.ledger.release(heldBefore);
    this.conflicts = conflictsBefore + rewrites.length;
    for (const rewrite of rewrites) rewrite.phase = 'aborted';
    return {
      reserved: 0,
      conflicts: rewrites.length,
      entries: entries.map(({ rewrite, blockers }) => ({ rewrite, accepted: false, blockers })),
    };
  }

  savepoint(): SavepointMark {
    const mark = new SavepointMark(this, this.marks.length, this.ledger.held, this.conflicts);
    this.marks.push(mark);
    return mark;
  }

  rollbackTo(mark: SavepointMark): void {
    if (mark.transaction !== this || this.marks[mark.depth] !== mark) throw badMark(mark);
    const { accepted, held } = this.ledger;
    // First all of them are tried, so that one that was frozen meanwhile stops the rollback before it begins.
    for (let at = held - 1; at >= mark.held; at--) writePhase(accepted[at]!, accepted[at]!.phase);
    this.marks.length = mark.depth + 1;
    for (let at = held - 1; at >= mark.held; at--) accepted[at]!.phase = 'matched';
    this.ledger.release(mark.held);
    this.conflicts = mark.conflicts;
  }

  /** Back to the state of a new transaction, whatever has happened, in constant time. */
  clear(): void {
    this.queue.clear();
    this.ledger.clear();
    if (this.marks.length > 0) this.marks = [];
    this.conflicts = 0;
  }

  private refusal(footprint: CanonicalFootprint): readonly Blocker[] {
    return this.explainLevel === 'off' ? NO_BLOCKERS : this.ledger.blockers(footprint, this.explainLevel === 'first');
  }
}

/** The error of a mark that is dead, of another transaction or scheduler, or no mark at all. */
export function badMark(mark: unknown): RewriteInputError {
  return new RewriteInputError(
    'bad-mark',
    'The mark is not of this transaction, or a rollback or finalizeTx has ended it',
    {
      field: 'mark',
      value: mark,
    },
  );
}
