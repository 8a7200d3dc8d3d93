export {
  type CheckCommutesOptions,
  type CommuteVerdict,
  checkCommutes,
  type Digest,
} from './check-commutes.js';
export { footprint, union } from './footprint.js';
export type { Footprint, FootprintSets } from './footprint-sets.js';
export { guardFootprint, inferFootprint, type World } from './guard-footprint.js';
export { independent } from './independence.js';
export { createInterner, type Interner } from './interner.js';
export type { Blocker, ConflictMode, ExplainLevel } from './ledger.js';
export type { PendingRewrite, Phase } from './pending-rewrite.js';
export { planWaves, type Wave } from './plan-waves.js';
export { receipt } from './receipt.js';
export { decodeReceipt, encodeReceipt } from './receipt-codec.js';
export type { Receipt, ReceiptDigests, ReceiptEntry } from './receipt-shape.js';
export type { AttachmentKey, Category, EdgeKey, Id, NodeKey, PortKey, ResourceKey } from './resource-keys.js';
export {
  FootprintViolationError,
  type RefusedField,
  RewriteArgumentError,
  type RewriteInputCode,
  RewriteInputError,
  WaveWorkerError,
} from './rewrite-errors.js';
export {
  createRewriteScheduler,
  type RewriteScheduler,
  type RewriteSchedulerOptions,
  type TxId,
} from './rewrite-scheduler.js';
export { type RunWavesOptions, runWaves } from './run-waves.js';
export type { Mark } from './savepoint-mark.js';
export type { ReserveEntry, ReserveResult } from './transaction.js';
export { type ReceiptProblem, type ReceiptVerdict, verifyReceipt } from './verify-receipt.js';
export type { WaveFunction, WaveTask } from './wave-task.js';
