import type { ConflictMode } from '../footprint/collision.js';
import type { CanonicalFootprint } from '../footprint/sealed-footprint.js';
import type { Category, ResourceKey } from '../keys/resource-keys.js';
import type { PendingRewrite } from './pending-rewrite.js';

/** How much is recorded and reported about refusals. Decisions do not depend on it. */
export type ExplainLevel = 'off' | 'first' | 'all';

/** One reason for a refusal: an accepted rewrite that holds a key the candidate needs. */
export interface Blocker {
  readonly blockedBy: PendingRewrite;
  readonly category: Category;
  readonly key: ResourceKey;
  readonly mode: ConflictMode;
}

/** The holdings of one transaction. The two kinds of scheduler differ only in their ledger. */
export interface Ledger {
  /** How many rewrites are held. */
  readonly held: number;
  /** The held rewrites in order of acceptance: the first `held` places. The places after them hold leftovers. */
  readonly accepted: readonly PendingRewrite[];
  /** Checks, then marks: true and everything held, or false and nothing changed. */
  hold(rewrite: PendingRewrite, footprint: CanonicalFootprint): boolean;
  /** The current blockers of a candidate; `firstOnly` stops at the first. */
  blockers(footprint: CanonicalFootprint, firstOnly: boolean): Blocker[];
  /** Releases the latest rewrites until `count` are left. */
  release(count: number): void;
  /** Releases everything, in constant time. */
  clear(): void;
}
