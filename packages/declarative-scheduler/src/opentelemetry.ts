export { reportMetrics } from './scheduler/report-metrics.js';
export { traceRuns } from './scheduler/trace-runs.js';
