export { chainViewConformance } from './chain-view-conformance.js';
export type { ConformanceCase, ConformanceStart, OpenChain } from './conformance-world.js';
export { ledgerConformance } from './ledger-conformance.js';
