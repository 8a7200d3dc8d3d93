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
export { type SilentProxy, startSilentProxy } from './silent-proxy.js';
export { type ConformanceCase, storageConformance } from './storage-conformance.js';
export { startTestGalera, type TestCluster } from './test-galera.js';
export { startTestMariadb } from './test-mariadb.js';
export { startTestPostgres, startTestStandby } from './test-postgres.js';
export { type TestServer, TestServerError, type TestServerOptions } from './test-server.js';
