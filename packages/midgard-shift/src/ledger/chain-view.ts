import type { LifecycleRequest } from '../rules/lifecycle-rules.js';
import type { MidgardState } from '../state/midgard-state.js';
import type { Transaction } from '../state/transaction.js';
import type { Verdict } from '../state/violation.js';

/** The calls that a keeper needs of a chain: a provider, a node, or a ledger of this package. */
export interface ChainView {
  /** The state at the tip as the provider has it. It may lag, and after a rollback it may be an earlier one again. */
  state(): Promise<MidgardState>;
  /**
   * Submits a transaction. `accepted` means that it will be included if nothing comes in between; a rejection is a result, not a failure.
   */
  submit(tx: Transaction): Promise<Verdict>;
  /** Submits the activation of a registrant, for a keeper that activates blocking registrants. */
  activate?(request: LifecycleRequest): Promise<Verdict>;
}
