import { lazyNamespace } from './lazy-namespace.js';

// The exports of `index.ts`, for Node: loading all packages there takes a quarter of a second, and a program uses one or two of them.
export const time = lazyNamespace<typeof import('@horae/clock-store')>('@horae/clock-store');
export const cron = lazyNamespace<typeof import('@horae/cron-grammar')>('@horae/cron-grammar');
export const tasks = lazyNamespace<typeof import('@horae/declarative-scheduler')>('@horae/declarative-scheduler');
export const sim = lazyNamespace<typeof import('@horae/epoch-sim')>('@horae/epoch-sim');
export const shift = lazyNamespace<typeof import('@horae/midgard-shift')>('@horae/midgard-shift');
export const rewrite = lazyNamespace<typeof import('@horae/rewrite-reserve')>('@horae/rewrite-reserve');
export const ring = lazyNamespace<typeof import('@horae/time-ring')>('@horae/time-ring');
