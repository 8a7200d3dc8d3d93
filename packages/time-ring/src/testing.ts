export { type ConformanceCase, jobStoreConformance } from './store/job-store-conformance.js';
