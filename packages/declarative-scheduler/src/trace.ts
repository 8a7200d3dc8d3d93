export { checkTrace, type TraceOptions, type Verdict } from './trace/check-trace.js';
export type { TraceEvent } from './trace/trace-event.js';
