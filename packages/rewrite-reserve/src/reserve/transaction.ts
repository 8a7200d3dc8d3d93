import type { CanonicalFootprint } from '../footprint/sealed-footprint.js';
import { RewriteInputError } from '../keys/rewrite-errors.js';
import type { Blocker, ExplainLevel, Ledger } from './ledger.js';
import { PendingQueue } from './pending-queue.js';
import { checkAttachments, checkRewrite, type PendingRewrite, writePhase } from './pending-rewrite.js';
import { PhaseList } from './phase-list.js';
import { type CarriedRewrite, RewriteAges } from './rewrite-ages.js';
import { sortByRuleId } from './rule-id-order.js';
import { SavepointMark } from './savepoint-mark.js';

/** The outcome of one rewrite of a batch. `blockers` are empty when it was accepted or when explanations are off. */
export interface ReserveEntry {
  readonly rewrite: PendingRewrite;
  readonly accepted: boolean;
  readonly blockers: readonly Blocker[];
}

/** The outcome of a batch: the two counts are of this batch, the entries are in its order. */
export interface ReserveResult {
  readonly reserved: number;
  readonly conflicts: number;
  readonly entries: readonly ReserveEntry[];
}

/** Rewrites of a batch that are checked before the first of them is reserved. */
const BLOCK = 32;

const NO_BLOCKERS: readonly Blocker[] = Object.freeze([]);

/** The rules that the transactions of one scheduler share. */
export interface TransactionRules {
  readonly explainLevel: ExplainLevel;
  /** Refuse attachments that have no meaning upstream. */
  readonly strict: boolean;
  /** Order the drain by rule ids where there are some. */
  readonly byRuleId: boolean;
  /** The age from which a rewrite that was carried over goes first. */
  readonly starvesAfter: number | undefined;
}

/** The state of one transaction: its queue, its holdings, the marks to go back to, and the refused rewrites. */
export class Transaction {
  conflicts = 0;
  private readonly queue = new PendingQueue();
  private marks: SavepointMark[] = [];
  /** One entry per conflict; made when the first rewrite is refused. */
  private refused: PendingRewrite[] | undefined;
  /** For rewrites that were carried over: how many transactions in a row had refused them. */
  private ages: RewriteAges | undefined;

  constructor(
    readonly ledger: Ledger,
    private readonly rules: TransactionRules,
  ) {}

  enqueue(rewrite: PendingRewrite): void {
    this.queue.add(rewrite);
  }

  drain(): PendingRewrite[] {
    const drained = this.queue.drain();
    if (this.rules.byRuleId) sortByRuleId(drained);
    const { starvesAfter } = this.rules;
    return this.ages === undefined || starvesAfter === undefined ? drained : this.ages.oldFirst(drained, starvesAfter);
  }

  reserve(rewrite: PendingRewrite, footprint: CanonicalFootprint): boolean {
    // Written before anything is marked: a rewrite that cannot take its phase is refused with nothing changed.
    writePhase(rewrite, 'reserved');
    if (this.ledger.hold(rewrite, footprint)) return true;
    rewrite.phase = 'aborted';
    this.conflicts += 1;
    this.noteRefusal(rewrite);
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
        if (this.rules.strict) for (let at = from; at < to; at++) checkAttachments(footprints[at - from]!);
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
      this.forgetRefusals(conflictsBefore);
      // Backwards, so that a rewrite that is in the batch twice ends with its first phase.
      for (let at = done - 1; at >= 0; at--) rewrites[at]!.phase = phases.at(at);
      throw error;
    }
    const conflicts = this.conflicts - conflictsBefore;
    if (!allOrNothing || conflicts === 0) return { reserved: rewrites.length - conflicts, conflicts, entries };
    this.ledger.release(heldBefore);
    this.forgetRefusals(conflictsBefore);
    this.conflicts += rewrites.length;
    for (const rewrite of rewrites) {
      rewrite.phase = 'aborted';
      this.noteRefusal(rewrite);
    }
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
    this.forgetRefusals(mark.conflicts);
  }

  /** The refused rewrites that are not held now, in canonical order with their ages; afterwards there are none left to take. */
  takeRefused(): CarriedRewrite[] {
    const held = new Set(this.ledger.accepted.slice(0, this.ledger.held));
    const queue = new PendingQueue();
    for (const rewrite of new Set(this.refused)) if (!held.has(rewrite)) queue.add(rewrite);
    const taken = queue.drain().map((rewrite) => ({ rewrite, age: (this.ages?.of(rewrite) ?? 0) + 1 }));
    // All of them are tried first, so that one that was frozen meanwhile stops the carry-over before it begins.
    for (const { rewrite } of taken) writePhase(rewrite, rewrite.phase);
    this.refused?.splice(0);
    return taken;
  }

  /** Enqueues rewrites that were refused elsewhere. */
  carryIn(carried: readonly CarriedRewrite[]): void {
    this.ages ??= new RewriteAges();
    for (const { rewrite, age } of carried) {
      rewrite.phase = 'matched';
      this.ages.set(rewrite, age);
      this.enqueue(rewrite);
    }
  }

  /** Back to the state of a new transaction, whatever has happened, in constant time. */
  clear(): void {
    this.queue.clear();
    this.ledger.clear();
    if (this.marks.length > 0) this.marks = [];
    this.conflicts = 0;
    this.refused = undefined;
    this.ages = undefined;
  }

  private refusal(footprint: CanonicalFootprint): readonly Blocker[] {
    const { explainLevel } = this.rules;
    return explainLevel === 'off' ? NO_BLOCKERS : this.ledger.blockers(footprint, explainLevel === 'first');
  }

  private noteRefusal(rewrite: PendingRewrite): void {
    this.refused ??= [];
    this.refused.push(rewrite);
  }

  /** Back to an earlier number of conflicts. */
  private forgetRefusals(conflicts: number): void {
    const fewer = this.conflicts - conflicts;
    this.conflicts = conflicts;
    if (this.refused !== undefined) this.refused.length = Math.max(0, this.refused.length - fewer);
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
