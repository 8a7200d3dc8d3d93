export { choosePool, type PoolOptions } from './choose-pool.js';
export { classifyDue } from './classify-due.js';
export type { BlockStrategy, Job, JobInput, MisfireStrategy, RouteStrategy, Schedule } from './job.js';
export { createRing, type Ring, type RingEntry } from './ring.js';
export { chooseExecutor, type RouteContext } from './route.js';
export { bucketOf, routeHash } from './route-hash.js';
export { createRouteMemory, type RouteMemory } from './route-memory.js';
export { TimeRingError, type TimeRingErrorCode } from './time-ring-error.js';
