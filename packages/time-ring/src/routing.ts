// Which executor gets a run, by itself, without a scheduler around it.
export { chooseExecutor, type RouteContext } from './routing/route.js';
export { bucketOf, routeHash } from './routing/route-hash.js';
export { createRouteMemory, type RouteMemory } from './routing/route-memory.js';
