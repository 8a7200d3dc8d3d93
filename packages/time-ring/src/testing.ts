// What tests of this package's users need, so that they need no second package.
export {
  createManualClock,
  type FaultPlan,
  type FaultPlanOptions,
  faultPlan,
  type ManualClock,
  type ManualClockOptions,
  startTestMariadb,
  startTestPostgres,
  type TestServer,
} from '@horae/clock-store/testing';
export { type ConformanceCase, jobStoreConformance } from './testing/job-store-conformance.js';
