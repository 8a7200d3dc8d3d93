import type { LifecycleRules } from '../rules/lifecycle-rules.js';
import type { RuleSets } from '../rules/rule-set.js';
import type { Edition } from '../state/edition.js';
import type { SchedulerDatum } from '../state/midgard-state.js';
import type { ProtocolParameters } from '../state/protocol-parameters.js';
import type { PubKeyHash } from '../state/pub-key-hash.js';

/** The fields of a spending redeemer, in their order on the chain. */
export type RedeemerField =
  | 'inputIndex'
  | 'outputIndex'
  | 'activeNodeIndex'
  | 'activeRootIndex'
  | 'registeredNodeIndex';

/** The transition that needs a window. */
export interface Transition {
  readonly previous: SchedulerDatum;
  /** The operator of the new shift. */
  readonly next: PubKeyHash;
  /** When the new shift starts. */
  readonly start: number;
  readonly now: number;
  readonly parameters: ProtocolParameters;
}

/** A window with a signature, and the earliest end with which it is still legal. */
export interface SignedWindow {
  readonly signer: PubKeyHash;
  readonly from: number;
  readonly to: number;
  readonly leastTo: number;
}

/** One edition of the scheduler: everything in which editions differ. Another edition is another value of this type. */
export interface EditionRules {
  readonly edition: Edition;
  readonly rules: RuleSets;
  readonly lifecycle: LifecycleRules;
  readonly redeemerFields: Readonly<Record<'advance' | 'rewind', readonly RedeemerField[]>>;
  /** The signer with which a keeper of `operator` takes the operator's own shift; null for an unsigned transaction. */
  keeperSigner(operator: PubKeyHash): PubKeyHash | null;
  /** When a registration whose window ends at `to` becomes eligible. */
  activationTimeOf(to: number, parameters: ProtocolParameters): number;
  /** How many milliseconds lie between the activation times of two registrants at least. */
  readonly leastDistanceMs: 0 | 1;
  /** The latest end of a rewind's window that shows a registrant of this activation time. */
  latestRewindEnd(activationTime: number): number;
  /** When the operator of the shift that starts at `start` can first take it itself. */
  ownShiftFrom(start: number): number;
  /** When the shift that starts at `start` can first be assigned without a signature. */
  unsignedFrom(start: number, parameters: ProtocolParameters): number;
  /** The earliest window, with its latest end, in which a signature of `who` is enough; null when it is of no use. */
  signedWindow(transition: Transition, who: PubKeyHash): SignedWindow | null;
}
