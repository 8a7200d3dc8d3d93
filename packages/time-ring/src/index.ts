export { choosePool, type PoolOptions } from './choose-pool.js';
export { classifyDue } from './classify-due.js';
export { createExecutor, type ExecutorOptions } from './create-executor.js';
export type { Handler, RunContext } from './handler.js';
export { type ImportOptions, type ImportReport, importXxlJobs } from './import/import-xxl-jobs.js';
export type { BlockStrategy, Job, JobInput, MisfireStrategy, RouteStrategy, Schedule } from './job.js';
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
} from './job-store.js';
export type { Logger } from './logger.js';
export { memoryJobStore } from './memory-job-store.js';
export { createRing, type Ring } from './ring.js';
export type { RingEntry } from './ring-entry.js';
export type { ExecutorInfo, RingEvents, RingHealth, RingMetrics } from './ring-events.js';
export { chooseExecutor, type RouteContext } from './route.js';
export { bucketOf, routeHash } from './route-hash.js';
export { createRouteMemory, type RouteMemory } from './route-memory.js';
export type { Run, RunRow, RunState, TriggerType } from './run.js';
export { sqlJobStore } from './sql-job-store.js';
export { lockRow } from './sql-lock-row.js';
export { startTimeRing } from './start-time-ring.js';
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
