export { createExecutor, type ExecutorOptions } from './create-executor.js';
export { choosePool, type PoolOptions } from './decide/choose-pool.js';
export { classifyDue } from './decide/classify-due.js';
export { createRing, type Ring } from './decide/ring.js';
export type { RingEntry } from './decide/ring-entry.js';
export { chooseExecutor, type RouteContext } from './decide/route.js';
export { bucketOf, routeHash } from './decide/route-hash.js';
export { createRouteMemory, type RouteMemory } from './decide/route-memory.js';
export type { Handler, RunContext } from './handler.js';
export { type ImportOptions, type ImportReport, importXxlJobs } from './import/import-xxl-jobs.js';
export type { BlockStrategy, Job, JobInput, MisfireStrategy, RouteStrategy, Schedule } from './job.js';
export type { Logger } from './logger.js';
export type { ExecutorInfo, RingEvents, RingHealth, RingMetrics } from './ring-events.js';
export type { Run, RunRow, RunState, TriggerType } from './run.js';
export { startTimeRing } from './start-time-ring.js';
export type {
  BucketLease,
  JobAdvance,
  JobQuery,
  JobReads,
  JobStore,
  JobTransaction,
  NewRun,
  NodeBeat,
  RegisteredExecutor,
  RemoteAssignment,
  RunClaim,
  RunEnd,
  RunFire,
  RunKey,
  RunQuery,
} from './store/job-store.js';
export { memoryJobStore } from './store/memory-job-store.js';
export { sqlJobStore } from './store/sql-job-store.js';
export { lockRow } from './store/sql-lock-row.js';
export { TimeRingError, type TimeRingErrorCode } from './time-ring-error.js';
export type {
  EngineStep,
  Executor,
  Executors,
  Jobs,
  RingHttpOptions,
  RingOptions,
  Runs,
  TimeRing,
} from './time-ring-interface.js';
