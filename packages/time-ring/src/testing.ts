export { type ConformanceCase, jobStoreConformance } from './job-store-conformance.js';
