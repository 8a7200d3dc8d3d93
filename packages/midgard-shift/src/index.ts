export { ChainTimeoutError } from './answer-within.js';
export type { ChainView } from './chain-view.js';
export { createLedger } from './create-ledger.js';
export {
  decodeNodeDatum,
  decodeSchedulerDatum,
  encodeNodeDatum,
  encodeSchedulerDatum,
  type NodeDatum,
} from './datum-codec.js';
export { decodePlutusData } from './decode-plutus-data.js';
export { encodePlutusData } from './encode-plutus-data.js';
export type { Ledger, LedgerOptions } from './ledger.js';
export { activate, deregister, type LifecycleVerdict, type LifecycleWarning, register, retire } from './lifecycle.js';
export type { LifecycleRequest } from './lifecycle-rules.js';
export { MidgardInputError } from './midgard-input-error.js';
export type { MidgardState, RegisteredNode, SchedulerDatum } from './midgard-state.js';
export { planCatchUp } from './plan-catch-up.js';
export { type ImpossiblePlan, type Plan, type PossiblePlan, planTransaction } from './plan-transaction.js';
export type { EncodeOptions, PlutusConstr, PlutusData } from './plutus-data.js';
export { type PlutusDecodeCode, PlutusDecodeError } from './plutus-decode-error.js';
export { type ProtocolParameters, parseProtocolParameters } from './protocol-parameters.js';
export type { PubKeyHash } from './pub-key-hash.js';
export {
  decodeMintRedeemer,
  decodeSpendRedeemer,
  encodeMintRedeemer,
  encodeSpendRedeemer,
  type MintRedeemer,
  type SpendRedeemer,
} from './redeemer-codec.js';
export type { RuleReading } from './rule-set.js';
export { type ShiftKeeper, type ShiftKeeperOptions, SubmissionRefusedError, startShiftKeeper } from './shift-keeper.js';
export { type SimulateOptions, type Simulation, simulate } from './simulate.js';
export { nextShiftOf, operatorAt, type Shift, timetable } from './timetable.js';
export type { Redeemer, ReferenceInput, Transaction, Validity } from './transaction.js';
export {
  applyTransaction,
  TransactionRejectedError,
  type ValidateOptions,
  validateTransaction,
} from './validate-transaction.js';
export type { LedgerRule, LifecycleRule, TransactionRule, Verdict, Violation } from './violation.js';
