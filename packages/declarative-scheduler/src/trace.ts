export { checkTrace, type TraceOptions, type Verdict } from './check-trace.js';
export type { TraceEvent } from './trace-event.js';
