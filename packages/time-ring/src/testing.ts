export { type ConformanceCase, jobStoreConformance } from './testing/job-store-conformance.js';
