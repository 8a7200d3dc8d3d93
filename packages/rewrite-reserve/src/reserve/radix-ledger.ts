import { conflictMode, conflictWith } from '../footprint/collision.js';
import { type Use, usesOf } from '../footprint/footprint-uses.js';
import {
  type CanonicalFootprint,
  codesEnd,
  codesOf,
  codesStart,
  isRich,
  placeOf,
} from '../footprint/sealed-footprint.js';
import type { KeyInterner } from '../intern/interner.js';
import { claimAll, unclaim } from './claim-codes.js';
import { HolderChains } from './holder-chains.js';
import type { Blocker, Ledger } from './ledger.js';
import type { PendingRewrite } from './pending-rewrite.js';
import { type LedgerView, markedResources, RichHoldings } from './rich-holdings.js';

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
 * The ledger of the radix kind: one word per resource, its stamp, which is `ticket * 2 + 1` when it is held exclusively and `ticket * 2`
 * when it is read. Tickets only rise, so everything at or below `floor` is of an earlier transaction and counts as free: one load shows
 * whether a resource is held, how, and by which rewrite. With several readers the stamp is the first one's.
 */
export class RadixLedger implements Ledger {
  held = 0;
  accepted: PendingRewrite[] = [];
  private footprints: CanonicalFootprint[] = [];
  private rich: RichHoldings | undefined;
  private readonly chains: HolderChains | undefined;
  private readonly allocate: (words: number) => Uint32Array;
  private readonly maxTickets: number;
  private stamps: Uint32Array;
  /** Length of `stamps`, as a plain number: it is compared at every reserve. */
  private capacity = 0;
  private floorTicket = 0;
  private readonly richView = {
    stamps: new Uint32Array(0) as Uint32Array,
    floor: 0,
    holders: (resource: number) => this.holders(resource, false),
  };

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
    if (!this.reach(footprint)) return this.holdRich(rewrite, footprint);
    const codes = codesOf(footprint);
    const start = codesStart(footprint);
    const end = codesEnd(footprint);
    const { stamps } = this;
    const floor = this.floorTicket * 2 + 1;
    const ticket = this.floorTicket + this.held + 1;
    const conflict = claimAll(stamps, codes, start, end, floor, ticket * 2);
    if (conflict < end) {
      unclaim(stamps, codes, start, conflict, ticket);
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
    let uses: readonly Use[] | undefined;
    this.forEachBlocker(footprint, firstOnly, (order, at, holderExclusive) => {
      uses ??= usesOf(footprint);
      const use = uses[at]!;
      const held = this.footprints[order]!;
      const mode =
        isRich(held) || isRich(footprint)
          ? conflictWith(use, held)
          : conflictMode(use.category, use.mode, holderExclusive ? 'write' : 'read');
      if (mode !== undefined)
        found.push({ blockedBy: this.accepted[order]!, category: use.category, key: use.key, mode });
    });
    return found;
  }

  /** Visits (number of an accepted rewrite, number of the candidate's use) in the order of `blockers`. */
  forEachBlocker(
    footprint: CanonicalFootprint,
    firstOnly: boolean,
    visit: (order: number, use: number, holderExclusive: boolean) => void,
  ): void {
    if (!this.reach(footprint)) {
      this.forEachRichBlocker(footprint, firstOnly, visit);
      return;
    }
    const codes = codesOf(footprint);
    const start = codesStart(footprint);
    const end = codesEnd(footprint);
    let at = this.firstConflict(codes, start, end);
    for (; at !== -1; at = this.firstConflict(codes, at + 1, end)) {
      const resource = codes[at]! >>> 1;
      const holderExclusive = (this.stamps[resource]! & 1) === 1;
      for (const ticket of this.holders(resource, firstOnly)) {
        visit(ticket - this.floorTicket - 1, at - start, holderExclusive);
      }
      if (firstOnly) return;
    }
  }

  private forEachRichBlocker(
    footprint: CanonicalFootprint,
    firstOnly: boolean,
    visit: (order: number, use: number, holderExclusive: boolean) => void,
  ): void {
    const compiled = this.interner.compileRich(footprint);
    const rich = this.reachRich();
    const view = this.view();
    for (let use = 0; use < compiled.count; use++) {
      const first = rich.conflict(view, compiled, use);
      if (first === 0) continue;
      for (const ticket of firstOnly ? [first] : rich.holders(view, compiled, use)) {
        visit(ticket - this.floorTicket - 1, use, true);
      }
      if (firstOnly) return;
    }
  }

  /** What the holdings of rich footprints read; one object for all of them, because every reservation needs it. */
  private view(): LedgerView {
    this.richView.stamps = this.stamps;
    this.richView.floor = this.floorTicket;
    return this.richView;
  }

  /** The tickets of the holders of a resource: the first, or all of them as far as they are remembered. */
  private holders(resource: number, firstOnly: boolean): readonly number[] {
    const stamp = this.stamps[resource]!;
    const isSingle = (stamp & 1) === 1 && this.rich?.isAdded(resource, this.floorTicket) !== true;
    return firstOnly || isSingle || this.chains === undefined ? [stamp >>> 1] : this.chains.holders(resource);
  }

  private holdRich(rewrite: PendingRewrite, footprint: CanonicalFootprint): boolean {
    const ticket = this.floorTicket + this.held + 1;
    const hasLists = this.interner.compileLists(footprint);
    const rich = this.reachRich();
    const view = this.view();
    const isHeld =
      hasLists && this.chains === undefined
        ? rich.holdLists(view, codesOf(footprint), placeOf(footprint), ticket)
        : undefined;
    if (!(isHeld ?? rich.hold(view, this.interner.compileRich(footprint), ticket))) return false;
    this.accepted[this.held] = rewrite;
    this.footprints[this.held] = footprint;
    this.held += 1;
    if (this.chains === undefined) return true;
    for (const resource of markedResources(this.interner.compileRich(footprint))) {
      this.chains.add(resource, ticket, this.stamps[resource]! >>> 1 === ticket);
    }
    return true;
  }

  private releaseRich(footprint: CanonicalFootprint, ticket: number): void {
    const compiled = this.interner.compileRich(footprint);
    this.reachRich().release(this.view(), compiled, ticket);
    if (this.chains === undefined) return;
    for (const resource of markedResources(compiled).reverse()) this.chains.undo(resource);
  }

  /** The holdings of rich footprints, with room for all that the interner has numbered. */
  private reachRich(): RichHoldings {
    if (this.interner.resources > this.capacity) this.grow(this.interner.resources);
    this.rich ??= new RichHoldings(this.interner.paths, this.chains !== undefined);
    this.rich.reach(this.capacity);
    return this.rich;
  }

  release(count: number): void {
    const { chains } = this;
    while (this.held > count) {
      const footprint = this.footprints[this.held - 1]!;
      if (!this.interner.compile(footprint)) {
        this.releaseRich(footprint, this.floorTicket + this.held);
        this.held -= 1;
        continue;
      }
      const codes = codesOf(footprint);
      const start = codesStart(footprint);
      const end = codesEnd(footprint);
      unclaim(this.stamps, codes, start, end, this.floorTicket + this.held);
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
    this.rich?.clear();
    if (this.floorTicket < this.maxTickets) return;
    this.stamps.fill(0);
    this.rich?.wipe();
    this.floorTicket = 0;
  }

  /** Puts the codes of a footprint in its chunk and has stamps for all of them; false for a rich footprint. */
  private reach(footprint: CanonicalFootprint): boolean {
    if (!this.interner.compile(footprint)) return false;
    if (this.interner.resources > this.capacity) this.grow(this.interner.resources);
    return true;
  }

  /** The position of the first code in `codes[from..end)` that is in conflict, or -1. */
  private firstConflict(codes: Uint32Array, from: number, end: number): number {
    const { stamps } = this;
    const floor = this.floorTicket * 2 + 1;
    for (let at = from; at < end; at++) {
      const code = codes[at]!;
      const stamp = stamps[code >>> 1]!;
      // Held, and not read by both sides: the last bit of a code or stamp means "exclusive".
      if (stamp > floor && ((stamp | code) & 1) !== 0) return at;
    }
    return -1;
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
