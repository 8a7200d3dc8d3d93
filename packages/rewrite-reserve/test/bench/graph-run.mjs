// Runs tasks in a process of its own, started by plain Node as users start theirs. 20,000 tasks (2,000 of a
// millisecond) in 90 levels: chains whose tasks write one cell. Prints nanoseconds per task.
import { createRewritePool, footprint, planWaves, runGraph, runWaves } from '../../dist/index.js';

const [way, workers, microseconds] = [process.argv[2], ...process.argv.slice(3).map(Number)];
const TASKS = microseconds < 1000 ? 20_000 : 2_000;
const CHAINS = Math.ceil(TASKS / 90);
const hashOf = (at) => {
  const hash = new Uint8Array(32);
  new DataView(hash.buffer).setUint32(0, at);
  return hash;
};
const rewrites = Array.from({ length: TASKS }, (_, at) => ({
  scopeHash: hashOf(at),
  compactRule: Math.round(microseconds * 1000),
  scope: { warp: 1, id: at % CHAINS },
  footprint: footprint({ nWrite: [{ warp: 1, id: at % CHAINS }] }),
  phase: 'matched',
}));
const work = new URL('./graph-work.mjs', import.meta.url);
const shared = new SharedArrayBuffer(CHAINS * 4);
const timed = async (run) => {
  const start = process.hrtime.bigint();
  await run();
  return Number(process.hrtime.bigint() - start) / TASKS;
};
const pool = way === 'pool' ? await createRewritePool({ workers, execute: work, shared }) : undefined;
const run = {
  here: () => runGraph(rewrites, work, { shared }),
  graph: () => runGraph(rewrites, work, { workers, shared }),
  waves: () => runWaves(planWaves(rewrites), work, { workers, shared }),
  pool: () => pool.run(rewrites),
}[way];
// The first run warms this thread, and the threads of a pool, up; those of the others are new in every run.
await run();
console.log(await timed(run));
await pool?.stop();
