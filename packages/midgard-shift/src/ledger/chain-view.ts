import type { LifecycleRequest } from '../rules/lifecycle-rules.js';
import type { MidgardState } from '../state/midgard-state.js';
import type { Transaction } from '../state/transaction.js';
import type { Verdict } from '../state/violation.js';

/** What a keeper needs of a chain: a provider, a node, or a ledger of this package. */
export interface ChainView {
  /** The state at the tip as the provider knows it. It may lag, and after a rollback it may be an earlier one again. */
  state(): Promise<MidgardState>;
  /** Hands in a transaction. `accepted` means that it will be included if nothing comes in between; a rejection is the fate, not a failure. */
  submit(tx: Transaction): Promise<Verdict>;
  /** Hands in the activation of a registrant, for a keeper that activates those in its way. */
  activate?(request: LifecycleRequest): Promise<Verdict>;
}
