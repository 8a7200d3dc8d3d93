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

/** The transition that a window is wanted for. */
export interface Transition {
  readonly previous: SchedulerDatum;
  /** Who gets the new shift. */
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

/** One edition of the scheduler: all in which editions differ. Another edition is another value of this type. */
export interface EditionRules {
  readonly edition: Edition;
  readonly rules: RuleSets;
  readonly lifecycle: LifecycleRules;
  readonly redeemerFields: Readonly<Record<'advance' | 'rewind', readonly RedeemerField[]>>;
  /** Who a keeper of `operator` signs as when it takes the operator's own shift; null for the unsigned way. */
  keeperSigner(operator: PubKeyHash): PubKeyHash | null;
  /** When a registration whose window ends at `to` becomes eligible. */
  activationTimeOf(to: number, parameters: ProtocolParameters): number;
  /** How many milliseconds lie between the activation times of two registrants at least. */
  readonly leastDistanceMs: 0 | 1;
  /** The latest end of a rewind's window that shows a registrant of this activation time. */
  latestRewindEnd(activationTime: number): number;
  /** From when on the operator of the shift that starts at `start` can take it itself. */
  ownShiftFrom(start: number): number;
  /** From when on the shift that starts at `start` can be assigned without a signature. */
  unsignedFrom(start: number, parameters: ProtocolParameters): number;
  /** The earliest window, with its latest end, in which a signature of `who` is enough; null when it is of no use. */
  signedWindow(transition: Transition, who: PubKeyHash): SignedWindow | null;
}
