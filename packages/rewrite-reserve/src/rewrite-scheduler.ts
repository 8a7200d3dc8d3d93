import type { CanonicalFootprint } from './footprint/sealed-footprint.js';
import { createInterner, type Interner, openInterner } from './intern/interner.js';
import { RewriteArgumentError, RewriteInputError } from './keys/rewrite-errors.js';
import type { Blocker, ExplainLevel, Ledger } from './reserve/ledger.js';
import { LegacyLedger } from './reserve/legacy-ledger.js';
import { checkAttachments, checkRewrite, type PendingRewrite } from './reserve/pending-rewrite.js';
import { RadixLedger } from './reserve/radix-ledger.js';
import type { CarriedRewrite } from './reserve/rewrite-ages.js';
import { type Mark, SavepointMark } from './reserve/savepoint-mark.js';
import { badMark, type ReserveResult, Transaction, type TransactionRules } from './reserve/transaction.js';

/** The caller's number for a transaction: a safe integer. */
export type TxId = number;

/** Options of `createRewriteScheduler`. */
export interface RewriteSchedulerOptions {
  /** 'radix' (default): work per rewrite is proportional to its footprint. 'legacy': compares with every accepted one. */
  readonly kind?: 'radix' | 'legacy';
  /** What is reported about refusals: nothing, the first blocker (default), or all of them. Decisions are the same. */
  readonly explain?: ExplainLevel;
  /** Shares key numbers with other schedulers; by default the scheduler has an interner of its own. */
  readonly interner?: Interner;
  /** Refuse attachments that have no meaning upstream ('bad-key'): a node with 'beta', an edge with 'alpha'. */
  readonly strict?: boolean;
  /** Drain rewrites first that were refused in `after` transactions in a row and carried over each time, the oldest first. */
  readonly starvation?: { readonly after: number };
}

/** Admits rewrites whose footprints do not collide, transaction by transaction. The same calls return the same results. */
export interface RewriteScheduler {
  /** Puts a rewrite into the queue of `tx`. Of several with the same (scopeHash, compactRule) the last one counts. */
  enqueue(tx: TxId, rewrite: PendingRewrite): void;
  /**
   * Empties the queue: the enqueued objects by ascending scopeHash, then compactRule, both unsigned. With `starvation`, old ones
   * that were carried over come first; the legacy kind compares rule ids where both rewrites have one.
   */
  drainForTx(tx: TxId): PendingRewrite[];
  /** Admits the rewrite if nothing it needs is held, and writes its `phase`. It need not have been enqueued. */
  reserve(tx: TxId, rewrite: PendingRewrite): boolean;
  /** Reserves in order. With `allOrNothing` one refusal refuses all. The whole batch is checked before the first one. */
  reserveMany(tx: TxId, rewrites: readonly PendingRewrite[], options?: { allOrNothing?: boolean }): ReserveResult;
  /** The current blockers of a rewrite; empty when it would be accepted. Changes nothing. */
  explain(tx: TxId, rewrite: PendingRewrite): Blocker[];
  /** Marks the present holdings, for `rollbackTo`. */
  savepoint(tx: TxId): Mark;
  /** Releases everything reserved since the mark and restores both counters. Queues are not touched. */
  rollbackTo(tx: TxId, mark: Mark): void;
  /**
   * Enqueues the rewrites refused in `from` into `to`, as 'matched', and returns them in canonical order. `age` counts the transactions in
   * a row that have refused a rewrite. Call it before `finalizeTx(from)`; a second call finds nothing.
   */
  carryOver(from: TxId, to: TxId): readonly CarriedRewrite[];
  /** Ends a transaction: queue, holdings and marks are dropped at once. For an unknown transaction both counts are zero. */
  finalizeTx(tx: TxId): { reserved: number; conflicts: number };
}

/** Finished transactions kept for reuse; more than a few are only alive at once in unusual programs. */
const MAX_SPARE_TRANSACTIONS = 8;

/** A new scheduler without transactions. Transactions begin with their first use and last until `finalizeTx`. */
export function createRewriteScheduler(options: RewriteSchedulerOptions = {}): RewriteScheduler {
  const { kind = 'radix', explain = 'first', interner = createInterner(), strict = false, starvation } = options;
  if (kind !== 'radix' && kind !== 'legacy') throw badOption('kind', kind, "'radix' or 'legacy'");
  if (explain !== 'off' && explain !== 'first' && explain !== 'all') {
    throw badOption('explain', explain, "'off', 'first' or 'all'");
  }
  if (typeof strict !== 'boolean') throw badOption('strict', strict, 'true or false');
  const starvesAfter = starvation?.after;
  if (starvation !== undefined && (!Number.isSafeInteger(starvesAfter) || starvesAfter! < 1)) {
    throw badOption('starvation.after', starvesAfter, 'an integer from 1');
  }
  const numbers = openInterner(interner);
  const newLedger = (): Ledger =>
    kind === 'legacy' ? new LegacyLedger() : new RadixLedger(numbers, { allHolders: explain === 'all' });
  return new LedgerScheduler(newLedger, { explainLevel: explain, strict, starvesAfter, byRuleId: kind === 'legacy' });
}

class LedgerScheduler implements RewriteScheduler {
  private readonly transactions = new Map<TxId, Transaction>();
  private readonly spare: Transaction[] = [];
  private latestId: TxId = Number.NaN;
  private latest: Transaction | undefined;

  constructor(
    private readonly newLedger: () => Ledger,
    private readonly rules: TransactionRules,
  ) {}

  enqueue(tx: TxId, rewrite: PendingRewrite): void {
    checkTx(tx);
    this.check(rewrite);
    this.begin(tx).enqueue(rewrite);
  }

  drainForTx(tx: TxId): PendingRewrite[] {
    return this.find(tx)?.drain() ?? [];
  }

  reserve(tx: TxId, rewrite: PendingRewrite): boolean {
    checkTx(tx);
    const footprint = this.check(rewrite);
    return this.begin(tx).reserve(rewrite, footprint);
  }

  reserveMany(
    tx: TxId,
    rewrites: readonly PendingRewrite[],
    { allOrNothing = false }: { allOrNothing?: boolean } = {},
  ): ReserveResult {
    checkTx(tx);
    if (!Array.isArray(rewrites)) throw badOption('rewrites', rewrites, 'an array');
    return this.begin(tx).reserveMany(rewrites, allOrNothing);
  }

  explain(tx: TxId, rewrite: PendingRewrite): Blocker[] {
    if (this.rules.explainLevel === 'off') {
      throw new RewriteInputError(
        'explain-off',
        "Explanations are off: create the scheduler with explain 'first' or 'all'",
        {
          field: 'explain',
          value: 'off',
        },
      );
    }
    const footprint = this.check(rewrite);
    return this.find(tx)?.ledger.blockers(footprint, this.rules.explainLevel === 'first') ?? [];
  }

  savepoint(tx: TxId): Mark {
    checkTx(tx);
    return this.begin(tx).savepoint() as unknown as Mark;
  }

  rollbackTo(tx: TxId, mark: Mark): void {
    const known: unknown = mark;
    const transaction = this.find(tx);
    if (transaction === undefined || !(known instanceof SavepointMark)) throw badMark(mark);
    transaction.rollbackTo(known);
  }

  carryOver(from: TxId, to: TxId): readonly CarriedRewrite[] {
    checkTx(to);
    if (from === to) throw badOption('to', to, 'another transaction than `from`');
    const carried = this.find(from)?.takeRefused() ?? [];
    if (carried.length > 0) this.begin(to).carryIn(carried);
    return carried;
  }

  finalizeTx(tx: TxId): { reserved: number; conflicts: number } {
    const transaction = this.find(tx);
    if (transaction === undefined) return { reserved: 0, conflicts: 0 };
    const totals = { reserved: transaction.ledger.held, conflicts: transaction.conflicts };
    transaction.clear();
    this.transactions.delete(tx);
    this.latestId = Number.NaN;
    this.latest = undefined;
    if (this.spare.length < MAX_SPARE_TRANSACTIONS) this.spare.push(transaction);
    return totals;
  }

  private check(rewrite: PendingRewrite): CanonicalFootprint {
    const footprint = checkRewrite(rewrite);
    if (this.rules.strict) checkAttachments(footprint);
    return footprint;
  }

  private find(tx: TxId): Transaction | undefined {
    if (tx === this.latestId) return this.latest;
    checkTx(tx);
    return this.transactions.get(tx);
  }

  private begin(tx: TxId): Transaction {
    let transaction = this.find(tx);
    if (transaction === undefined) {
      transaction = this.spare.pop() ?? new Transaction(this.newLedger(), this.rules);
      this.transactions.set(tx, transaction);
    }
    this.latestId = tx;
    this.latest = transaction;
    return transaction;
  }
}

function checkTx(tx: unknown): void {
  if (!Number.isSafeInteger(tx)) throw badOption('tx', tx, 'a safe integer');
}

function badOption(field: string, value: unknown, wanted: string): RewriteArgumentError {
  return new RewriteArgumentError(`${field} must be ${wanted}, got ${String(value)}`, { field, value });
}
