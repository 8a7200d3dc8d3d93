export {
  type Fault,
  type FaultCall,
  type FaultPlan,
  FaultPlanInputError,
  type FaultPlanOptions,
  faultPlan,
  InjectedCrashError,
  InjectedFaultError,
} from './fault-plan.js';
export { createManualClock, type ManualClock, type ManualClockOptions } from './manual-clock.js';
export { SettleLimitError } from './settle.js';
export { type ConformanceCase, storageConformance } from './storage-conformance.js';
export { startTestMariadb } from './test-mariadb.js';
export { startTestPostgres } from './test-postgres.js';
export { type TestServer, TestServerError } from './test-server.js';
