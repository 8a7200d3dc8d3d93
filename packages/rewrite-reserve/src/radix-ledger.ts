import { type Use, usesOf } from './footprint-uses.js';
import { HolderChains } from './holder-chains.js';
import type { KeyInterner } from './interner.js';
import { type Blocker, conflictMode, type Ledger } from './ledger.js';
import type { PendingRewrite } from './pending-rewrite.js';
import { type CanonicalFootprint, codesEnd, codesOf, codesStart } from './sealed-footprint.js';

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
    this.reach(footprint);
    const codes = codesOf(footprint);
    const start = codesStart(footprint);
    const end = codesEnd(footprint);
    const { stamps } = this;
    const floor = this.floorTicket * 2 + 1;
    const ticket = this.floorTicket + this.held + 1;
    const conflict = claimAll(stamps, codes, start, end, floor, ticket * 2);
    if (conflict < end) {
      this.unmark(codes, start, conflict, ticket);
      return false;
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
    this.reach(footprint);
    const codes = codesOf(footprint);
    const start = codesStart(footprint);
    const end = codesEnd(footprint);
    let at = this.firstConflict(codes, start, end);
    for (; at !== -1; at = this.firstConflict(codes, at + 1, end)) {
      const resource = codes[at]! >>> 1;
      const stamp = this.stamps[resource]!;
      const holderExclusive = (stamp & 1) === 1;
      const tickets =
        firstOnly || holderExclusive || this.chains === undefined ? [stamp >>> 1] : this.chains.holders(resource);
      for (const ticket of tickets) visit(ticket - this.floorTicket - 1, at - start, holderExclusive);
      if (firstOnly) return;
    }
  }

  release(count: number): void {
    const { chains } = this;
    while (this.held > count) {
      const footprint = this.footprints[this.held - 1]!;
      this.interner.compile(footprint);
      const codes = codesOf(footprint);
      const start = codesStart(footprint);
      const end = codesEnd(footprint);
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

  /** Puts the codes of a footprint in its chunk and has stamps for all of them. */
  private reach(footprint: CanonicalFootprint): void {
    this.interner.compile(footprint);
    if (this.interner.size > this.capacity) this.grow(this.interner.size);
  }

  /** The position of the first code in `codes[from..end)` that is in conflict, or -1. */
  private firstConflict(codes: Uint32Array, from: number, end: number): number {
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

/**
 * Marks what is free, passes what others read too, and gives the position of the first conflict, or `end`. Four codes a turn: in
 * every turn of a loop the engine looks up again where an array is and how long, which costs as much as the work on one code.
 */
function claimAll(
  stamps: Uint32Array,
  codes: Uint32Array,
  start: number,
  end: number,
  floor: number,
  mark: number,
): number {
  let at = start;
  for (; at + 4 <= end; at += 4) {
    if (!claim(stamps, codes[at]!, floor, mark)) return at;
    if (!claim(stamps, codes[at + 1]!, floor, mark)) return at + 1;
    if (!claim(stamps, codes[at + 2]!, floor, mark)) return at + 2;
    if (!claim(stamps, codes[at + 3]!, floor, mark)) return at + 3;
  }
  for (; at < end; at++) if (!claim(stamps, codes[at]!, floor, mark)) return at;
  return end;
}

function claim(stamps: Uint32Array, code: number, floor: number, mark: number): boolean {
  const resource = code >>> 1;
  const stamp = stamps[resource]!;
  // Held: fine if it is read by both sides. The last bit of a code or stamp says "exclusive".
  if (stamp > floor) return ((stamp | code) & 1) === 0;
  stamps[resource] = mark | (code & 1);
  return true;
}
