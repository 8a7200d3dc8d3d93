import type { CanonicalFootprint, CompiledFootprint } from './footprint-facts.js';
import { type Use, usesOf } from './footprint-uses.js';
import { HolderChains } from './holder-chains.js';
import type { KeyInterner } from './interner.js';
import { type Blocker, conflictMode, type Ledger } from './ledger.js';
import type { PendingRewrite } from './pending-rewrite.js';

/** A ledger that starts a transaction above this many tickets wipes its stamps and counts from 1 again. */
const MAX_TICKETS = 2 ** 29;
/** Longest list of accepted rewrites that is kept for the next transaction. */
const MAX_KEPT = 2 ** 17;

/** What is remembered about holders, and where the stamps come from: the tests count accesses through `allocate`. */
export interface RadixLedgerOptions {
  /** Remember every reader of a key and not just the first, so that `blockers` is complete. */
  readonly allHolders: boolean;
  readonly allocate?: (words: number) => Uint32Array;
  readonly maxTickets?: number;
}

/**
 * The ledger of the radix kind: one word per resource, its stamp, which is `ticket * 2 + 1` when it is held exclusively and
 * `ticket * 2` when it is read. Tickets only rise, so everything at or below `floor` is of an earlier transaction and counts
 * as free: one load tells whether a resource is held, how, and by whom. With several readers the stamp is the first one's.
 */
export class RadixLedger implements Ledger {
  held = 0;
  accepted: PendingRewrite[] = [];
  private footprints: CanonicalFootprint[] = [];
  private readonly chains: HolderChains | undefined;
  private readonly allocate: (words: number) => Uint32Array;
  private readonly maxTickets: number;
  private stamps: Uint32Array;
  /** Length of `stamps`, as a plain number: it is compared at every reserve. */
  private capacity = 0;
  private floorTicket = 0;

  constructor(
    private readonly interner: KeyInterner,
    { allHolders, allocate = (words) => new Uint32Array(words), maxTickets = MAX_TICKETS }: RadixLedgerOptions,
  ) {
    this.chains = allHolders ? new HolderChains() : undefined;
    this.allocate = allocate;
    this.maxTickets = maxTickets;
    this.stamps = allocate(0);
  }

  /**
   * Checks and marks in one walk; a conflict takes back the marks made so far, so that a refusal leaves no trace. That is one
   * load per key less than checking all and then marking all.
   */
  hold(rewrite: PendingRewrite, footprint: CanonicalFootprint): boolean {
    const { codes, start, end } = this.reach(footprint);
    const { stamps } = this;
    const floor = this.floorTicket * 2 + 1;
    const ticket = this.floorTicket + this.held + 1;
    for (let at = start; at < end; at++) {
      const code = codes[at]!;
      const resource = code >>> 1;
      const stamp = stamps[resource]!;
      if (stamp <= floor) {
        stamps[resource] = (ticket * 2) | (code & 1);
      } else if (((stamp | code) & 1) !== 0) {
        this.unmark(codes, start, at, ticket);
        return false;
      }
    }
    this.accepted[this.held] = rewrite;
    this.footprints[this.held] = footprint;
    this.held += 1;
    if (this.chains !== undefined) this.link(codes, start, end, ticket, this.chains);
    return true;
  }

  blockers(footprint: CanonicalFootprint, firstOnly: boolean): Blocker[] {
    const found: Blocker[] = [];
    let uses: Use[] | undefined;
    this.forEachBlocker(footprint, firstOnly, (order, use, holderExclusive) => {
      uses ??= usesOf(footprint);
      const { category, exclusive, key } = uses[use]!;
      const mode = conflictMode(category, exclusive, holderExclusive);
      found.push({ blockedBy: this.accepted[order]!, category, key, mode });
    });
    return found;
  }

  /** Visits (number of an accepted rewrite, number of the candidate's use) in the order of `blockers`. */
  forEachBlocker(
    footprint: CanonicalFootprint,
    firstOnly: boolean,
    visit: (order: number, use: number, holderExclusive: boolean) => void,
  ): void {
    const compiled = this.reach(footprint);
    let at = this.firstConflict(compiled, compiled.start);
    for (; at !== -1; at = this.firstConflict(compiled, at + 1)) {
      const resource = compiled.codes[at]! >>> 1;
      const stamp = this.stamps[resource]!;
      const holderExclusive = (stamp & 1) === 1;
      const tickets =
        firstOnly || holderExclusive || this.chains === undefined ? [stamp >>> 1] : this.chains.holders(resource);
      for (const ticket of tickets) visit(ticket - this.floorTicket - 1, at - compiled.start, holderExclusive);
      if (firstOnly) return;
    }
  }

  release(count: number): void {
    const { chains } = this;
    while (this.held > count) {
      const { codes, start, end } = this.interner.compiled(this.footprints[this.held - 1]!);
      this.unmark(codes, start, end, this.floorTicket + this.held);
      this.held -= 1;
      if (chains !== undefined) for (let at = end - 1; at >= start; at--) chains.undo(codes[at]! >>> 1);
    }
  }

  clear(): void {
    this.floorTicket += this.held;
    this.held = 0;
    // Lists of usual length are kept and overwritten by the next transaction; long ones would hold on to too much.
    if (this.accepted.length > MAX_KEPT) {
      this.accepted = [];
      this.footprints = [];
    }
    this.chains?.clear();
    if (this.floorTicket < this.maxTickets) return;
    this.stamps.fill(0);
    this.floorTicket = 0;
  }

  /** The numbers of a footprint, with stamps for all of them at hand. */
  private reach(footprint: CanonicalFootprint): CompiledFootprint {
    const compiled = this.interner.compiled(footprint);
    if (this.interner.size > this.capacity) this.grow(this.interner.size);
    return compiled;
  }

  /** The position of the first code from `from` that is in conflict, or -1. */
  private firstConflict({ codes, end }: CompiledFootprint, from: number): number {
    const { stamps } = this;
    const floor = this.floorTicket * 2 + 1;
    for (let at = from; at < end; at++) {
      const code = codes[at]!;
      const stamp = stamps[code >>> 1]!;
      // Held, and not read by both sides: the last bit of a code or stamp says "exclusive".
      if (stamp > floor && ((stamp | code) & 1) !== 0) return at;
    }
    return -1;
  }

  /** Frees what `ticket` was the first to hold among `codes[start..end)`. */
  private unmark(codes: Uint32Array, start: number, end: number, ticket: number): void {
    const { stamps } = this;
    for (let at = start; at < end; at++) {
      const resource = codes[at]! >>> 1;
      if (stamps[resource]! >>> 1 === ticket) stamps[resource] = 0;
    }
  }

  private link(codes: Uint32Array, start: number, end: number, ticket: number, chains: HolderChains): void {
    for (let at = start; at < end; at++) {
      const resource = codes[at]! >>> 1;
      chains.add(resource, ticket, this.stamps[resource]! >>> 1 === ticket);
    }
  }

  private grow(needed: number): void {
    const words = Math.max(needed, this.capacity * 2, 1024);
    const larger = this.allocate(words);
    for (let at = 0; at < this.capacity; at++) larger[at] = this.stamps[at]!;
    this.stamps = larger;
    this.capacity = words;
    this.chains?.reach(words);
  }
}
