export { connectTimeRing } from './connect-time-ring.js';
export { createExecutor, type ExecutorOptions } from './create-executor.js';
export { type ImportOptions, type ImportReport, importXxlJobs } from './import/import-xxl-jobs.js';
export type {
  AlertCause,
  AlertChannel,
  AlertDelivery,
  AlertEvent,
  AlertMessage,
  AlertRule,
  WebhookFormat,
} from './model/alert.js';
export type { Calendars, RingCalendar } from './model/calendar.js';
export { TimeRingError, type TimeRingErrorCode } from './model/errors.js';
export type {
  ExecutorInfo,
  RingEvents,
  RingHealth,
  RingMetrics,
  SharedEvent,
  SharedEventName,
} from './model/events.js';
export type { Flow, FlowFilter, FlowInput, FlowState, FlowStepInput, Flows, StepCondition } from './model/flow.js';
export type { FlowRow, LinkedStep, NewStep, StepLinks, StepPlan, StepStanding, StepState } from './model/flow-rows.js';
export type {
  ForeignTransaction,
  MysqlTransactionConnection,
  PgTransactionClient,
  TransactionExecutor,
} from './model/foreign-transaction.js';
export type { Group, Groups } from './model/group.js';
export { type Handler, type HandlerRing, RetryLater, type RunContext, Unrecoverable } from './model/handler.js';
export type {
  ConnectOptions,
  EngineStep,
  Executor,
  Executors,
  FrontRequest,
  Jobs,
  PoolOptions,
  PutOutcome,
  RingClient,
  RingHttpOptions,
  RingOptions,
  RunFilter,
  Runs,
  SyncReport,
  TimeRing,
} from './model/interface.js';
export type {
  BlockStrategy,
  IntervalLength,
  Job,
  JobInput,
  JobRef,
  KeepRuns,
  MisfireStrategy,
  RateLimit,
  RetryPolicy,
  RouteStrategy,
  Schedule,
} from './model/job.js';
export type { Logger } from './model/logger.js';
export type { Run, RunError, RunProgress, RunRow, RunState, TriggerType } from './model/run.js';
export type { StandardSchema } from './model/standard-schema.js';
export type { TriggerItem } from './model/trigger.js';
export { chooseExecutor, type RouteContext } from './routing/route.js';
export { bucketOf, routeHash } from './routing/route-hash.js';
export { createRouteMemory, type RouteMemory } from './routing/route-memory.js';
export { choosePool } from './schedule/choose-pool.js';
export { classifyDue } from './schedule/classify-due.js';
export { startTimeRing } from './start-time-ring.js';
export type { FlowQuery, FlowReads, FlowWrites, StepChange, StepResult, StepView } from './store/flow-store.js';
export type { GroupReads, GroupWrites, RunScope, StartCounts, StoredGroup } from './store/group-store.js';
export type {
  BucketLease,
  JobAdvance,
  JobQuery,
  JobReads,
  JobStore,
  JobTransaction,
  NewRun,
  NodeHeartbeat,
  RegisteredExecutor,
  RemoteAssignment,
  RunClaim,
  RunDispatch,
  RunEnd,
  RunKey,
  RunQuery,
  StoredCalendar,
  UniqueHolder,
} from './store/job-store.js';
export { memoryJobStore } from './store/memory/memory-job-store.js';
export { sqlJobStore } from './store/sql/sql-job-store.js';
export { lockRow } from './store/sql/sql-lock-row.js';
export { handler, type ParamsIssue, type TypedHandler } from './typed-handler.js';
export {
  type ParamsOf,
  type ResultOf,
  type TypedItem,
  type TypedRing,
  type TypedRun,
  typedRing,
} from './typed-ring.js';
export { createRing, type Ring } from './wheel/ring.js';
export type { RingEntry } from './wheel/ring-entry.js';
