/** Conditions of Init, Deinit, Advance and Rewind, each named for what must hold. */
export type TransactionRule =
  | 'init-only-once'
  | 'init-mints-hub-oracle'
  | 'init-mints-scheduler-nft'
  | 'init-operator-is-greatest-active'
  | 'deinit-burns-hub-oracle'
  | 'deinit-burns-scheduler-nft'
  | 'scheduler-initialized'
  | 'scheduler-output-present'
  | 'scheduler-output-absent'
  | 'mint-unchanged'
  | 'validity-not-empty'
  | 'reference-input-exists'
  | 'some-operator-active'
  | 'shift-moved-by-duration'
  | 'operator-consent'
  | 'active-node-referenced'
  | 'active-node-is-new-operator'
  | 'active-node-link-reaches-previous'
  | 'new-operator-below-previous'
  | 'active-node-is-last'
  | 'active-root-referenced'
  | 'active-root-link-reaches-previous'
  | 'registered-node-referenced'
  | 'registered-node-is-last'
  | 'no-registrant-eligible';

/** Conditions of registering, activating, deregistering and retiring. */
export type LifecycleRule =
  | 'signed-by-operator'
  | 'not-registered'
  | 'not-active'
  | 'not-retired'
  | 'bond-is-required-bond'
  | 'bond-at-least-required-bond'
  | 'validity-bounded'
  | 'queue-order-kept'
  | 'is-registered'
  | 'activation-time-reached'
  | 'is-active'
  | 'validity-not-empty';

/** The condition of a ledger beyond the scripts. */
export type LedgerRule = 'validity-contains-now';

/** The condition that only the node can judge: scripts, fees and inputs as it sees them. */
export type NodeRule = 'accepted-by-node';

/** A condition that does not hold. The texts are for people; the rule's name is for programs. */
export interface Violation {
  readonly rule: TransactionRule | LifecycleRule | LedgerRule | NodeRule;
  readonly expected: string;
  readonly found: string;
}

/** Whether a transaction is accepted, and if not, every rule it breaks. */
export type Verdict =
  | { readonly accepted: true }
  | { readonly accepted: false; readonly violations: readonly Violation[] };
