export {
  type CheckCommutesOptions,
  type CommuteVerdict,
  checkCommutes,
  type Digest,
} from './check/check-commutes.js';
export { guardFootprint, inferFootprint } from './check/guard-footprint.js';
export type { World } from './check/world.js';
export type { ConflictMode } from './footprint/collision.js';
export { footprint, union } from './footprint/footprint.js';
export type { Footprint, FootprintSets } from './footprint/footprint-sets.js';
export { independent } from './footprint/independence.js';
export type { GraphFunction, GraphResult, GraphTask } from './graph/graph-task.js';
export type { OrderOptions } from './graph/plan-graph.js';
export { createRewritePool, type RewritePool, type RewritePoolOptions } from './graph/rewrite-pool.js';
export type { RuleLists } from './graph/rule-order.js';
export { type GraphOptions, runGraph } from './graph/run-graph.js';
export { createInterner, type Interner } from './intern/interner.js';
export { type KeyMakers, keys, type NamedKeyMaker, type Range, type Subtree, scopeHash } from './keys/key-makers.js';
export type {
  AttachmentKey,
  Category,
  EdgeKey,
  Id,
  NodeKey,
  Path,
  PathKey,
  PointKey,
  PortKey,
  RangeKey,
  ResourceKey,
  Segment,
  SubtreeKey,
} from './keys/resource-keys.js';
export {
  FootprintViolationError,
  type RefusedField,
  RewriteArgumentError,
  type RewriteInputCode,
  RewriteInputError,
  RewritePoolStoppedError,
  WaveWorkerError,
} from './keys/rewrite-errors.js';
export {
  type OptimisticFunction,
  type OptimisticOptions,
  type OptimisticResult,
  runOptimistic,
  type UndeclaredRewrite,
} from './optimistic/run-optimistic.js';
export { receipt } from './receipt/receipt.js';
export { decodeReceipt, encodeReceipt } from './receipt/receipt-codec.js';
export type { Receipt, ReceiptDigests, ReceiptEntry } from './receipt/receipt-shape.js';
export { type ReceiptProblem, type ReceiptVerdict, verifyReceipt } from './receipt/verify-receipt.js';
export type { Blocker, ExplainLevel } from './reserve/ledger.js';
export type { PendingRewrite, Phase } from './reserve/pending-rewrite.js';
export type { CarriedRewrite } from './reserve/rewrite-ages.js';
export type { Mark } from './reserve/savepoint-mark.js';
export type { ReserveEntry, ReserveResult } from './reserve/transaction.js';
export {
  createRewriteScheduler,
  type RewriteScheduler,
  type RewriteSchedulerOptions,
  type TxId,
} from './rewrite-scheduler.js';
export { planWaves, type Wave } from './waves/plan-waves.js';
export { type RunWavesOptions, runWaves } from './waves/run-waves.js';
export type { RewriteTask, WaveFunction, WaveTask } from './waves/wave-task.js';
