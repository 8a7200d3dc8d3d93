// Runs waves in a process of its own, started by plain Node as users start theirs: worker threads inherit the flags of the
// process, and under the runner's flags each of them would first load a compiler of TypeScript. Prints nanoseconds per task.
import { footprint, planWaves, runWaves } from '../../dist/index.js';

const [workers, count] = process.argv.slice(2).map(Number);
const rewrites = Array.from({ length: count }, (_, at) => ({
  scopeHash: new Uint8Array(32).fill(at & 255, 0, 1).fill(at >>> 8, 1, 2),
  compactRule: at,
  scope: { warp: 1, id: at },
  footprint: footprint({ nWrite: [{ warp: 1, id: at }] }),
  phase: 'matched',
}));
const waves = planWaves(rewrites);
const work = new URL('./wave-work.mjs', import.meta.url);
let took = 0;
// The first run warms this thread up; the threads of workers are new in every run.
for (let run = 0; run < 2; run++) {
  const start = process.hrtime.bigint();
  await runWaves(waves, work, { workers, shared: new SharedArrayBuffer(count * 4) });
  took = Number(process.hrtime.bigint() - start);
}
console.log(took / count);
