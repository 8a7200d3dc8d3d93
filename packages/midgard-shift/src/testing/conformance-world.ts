import type { Clock } from '@horae/clock-store';
import type { ChainView } from '../ledger/chain-view.js';
import type { Ledger } from '../ledger/ledger.js';
import type { MidgardState } from '../state/midgard-state.js';
import type { ProtocolParameters } from '../state/protocol-parameters.js';
import type { Transaction } from '../state/transaction.js';

/** One requirement, framework-free: `run` rejects when it is not met. */
export interface ConformanceCase {
  readonly name: string;
  run(): Promise<void>;
}

/** The initial values of a chain under test. */
export interface ConformanceStart {
  readonly state: MidgardState;
  readonly parameters: ProtocolParameters;
  /** Stands still at a moment inside the shift that follows the one in the state. */
  readonly clock: Clock;
}

/** Opens a fresh chain for each case; `close` is called when the case is over. */
export type OpenChain<Chain extends ChainView = ChainView> = (
  start: ConformanceStart,
) => Promise<{ readonly chain: Chain; close?(): Promise<void> }>;

/** A case with the chain it checks. */
export interface ChainCase<Chain extends ChainView> {
  readonly name: string;
  check(chain: Chain): Promise<void>;
}

export type LedgerCase = ChainCase<Ledger>;

const key = (digit: string): string => digit.repeat(56);
export const LOW = key('1');
export const MIDDLE = key('5');
export const HIGH = key('9');
export const START = 1_000_000;
export const parameters: ProtocolParameters = {
  shiftDurationMs: 1_000,
  registrationDurationMs: 5_000,
  requiredBond: 100n,
};
export const NOW = START + 1_200;

/** HIGH is assigned, MIDDLE is next, and its shift is running. */
export const beginning: MidgardState = {
  scheduler: { operator: HIGH, shiftStart: START },
  hubOracle: true,
  active: [LOW, MIDDLE, HIGH],
  registered: [],
  retired: [],
};

/** The transition that MIDDLE signs. */
export const takeOver: Transaction = {
  redeemer: 'advance',
  mint: { hubOracle: 0, scheduler: 0 },
  signatories: [MIDDLE],
  validity: { from: NOW, to: START + 2_000 },
  schedulerOutput: { operator: MIDDLE, shiftStart: START + 1_000 },
  referenceInputs: [{ list: 'active', key: MIDDLE }],
};

/** Rejects with the story when two values differ as JSON. */
export function same(story: string, found: unknown, expected: unknown): void {
  const [left, right] = [JSON.stringify(found), JSON.stringify(expected)];
  if (left !== right) throw new Error(`${story}: expected ${right}, found ${left}`);
}
