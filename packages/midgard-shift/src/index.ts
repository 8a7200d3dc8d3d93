export { decodePlutusData } from './cbor/decode-plutus-data.js';
export { encodePlutusData } from './cbor/encode-plutus-data.js';
export type { DecodeOptions, EncodeOptions, PlutusConstr, PlutusData } from './cbor/plutus-data.js';
export { type PlutusDecodeCode, PlutusDecodeError } from './cbor/plutus-decode-error.js';
export { decodeSchedulerDatum, encodeSchedulerDatum } from './codec/datum-codec.js';
export {
  decodeMintRedeemer,
  decodeSpendRedeemer,
  encodeMintRedeemer,
  encodeSpendRedeemer,
  type MintRedeemer,
  type SpendRedeemer,
} from './codec/redeemer-codec.js';
export { decodeNodeDatum, encodeNodeDatum, type NodeDatum } from './editions/2025/node-datum.js';
export { type AssetNameOf, assetName } from './editions/2026-05/asset-name.js';
export { decodeElementDatum, type ElementDatum, encodeElementDatum } from './editions/2026-05/element-datum.js';
export { ChainTimeoutError } from './keeper/answer-within.js';
export type { ShiftKeeperOptions } from './keeper/keeper-options.js';
export type { KeeperEvent, KeeperMetrics } from './keeper/keeper-record.js';
export {
  type ShiftKeeper,
  SubmissionRefusedError,
  startShiftKeeper,
} from './keeper/shift-keeper.js';
export type { ChainView } from './ledger/chain-view.js';
export { createLedger } from './ledger/create-ledger.js';
export type { Ledger, LedgerOptions } from './ledger/ledger.js';
export { LedgerDamagedError } from './ledger/sql-damaged-row.js';
export { planCatchUp } from './plan/plan-catch-up.js';
export { type ImpossiblePlan, type Plan, type PossiblePlan, planTransaction } from './plan/plan-transaction.js';
export { nextShiftOf, operatorAt, type Shift, timetable } from './plan/timetable.js';
export type { LifecycleRequest } from './rules/lifecycle-rules.js';
export type { RuleReading } from './rules/rule-set.js';
export { type SimulateOptions, type Simulation, simulate } from './simulation/simulate.js';
export type { Edition } from './state/edition.js';
export { MidgardInputError } from './state/midgard-input-error.js';
export type { MidgardState, RegisteredNode, SchedulerDatum } from './state/midgard-state.js';
export { type ProtocolParameters, parseProtocolParameters } from './state/protocol-parameters.js';
export type { PubKeyHash } from './state/pub-key-hash.js';
export { type StateWarning, stateWarnings } from './state/state-warnings.js';
export type { Redeemer, ReferenceInput, Transaction, Validity } from './state/transaction.js';
export type { LedgerRule, LifecycleRule, NodeRule, TransactionRule, Verdict, Violation } from './state/violation.js';
export {
  activate,
  deregister,
  type LifecycleVerdict,
  type LifecycleWarning,
  register,
  retire,
} from './verdict/lifecycle.js';
export {
  applyTransaction,
  TransactionRejectedError,
  type ValidateOptions,
  validateTransaction,
} from './verdict/validate-transaction.js';
