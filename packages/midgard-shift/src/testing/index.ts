// The helpers for tests of programs that use this package, so that they need no second package.
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
export { chainViewConformance } from './chain-view-conformance.js';
export type { ConformanceCase, ConformanceStart, OpenChain } from './conformance-world.js';
export { ledgerConformance } from './ledger-conformance.js';
