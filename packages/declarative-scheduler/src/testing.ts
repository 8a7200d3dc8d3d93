export { type ConformanceCase, taskStoreConformance } from './testing/task-store-conformance.js';
