export { type ConformanceCase, taskStoreConformance } from './task-store-conformance.js';
