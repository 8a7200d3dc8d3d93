import { type Contender, defineBench } from '@horae-tooling/bench';
import type { PendingRewrite, Wave } from '../../src/index.js';
import { api, batch } from './support.js';

const WORK = new URL('./wave-work.mjs', import.meta.url);
const COUNT = 20_000;

/** Starting the threads is part of the time, as it is for users. */
function running(workers: number): Contender<Wave[]> {
  return {
    setup: () => api.planWaves(batch('handles', COUNT, 4)),
    run: (waves) => api.runWaves(waves, WORK, { workers, shared: new SharedArrayBuffer(COUNT * 4) }),
    operations: COUNT,
  };
}

const planning = (n: number): Contender<PendingRewrite[]> => ({
  setup: () => batch('handles', n, 16),
  run: (rewrites) => api.planWaves(rewrites).length,
  operations: n,
});

export default [
  defineBench({
    name: 'rewrite-reserve/waves/run',
    about: 'One rewrite of about 20 microseconds of work, 20,000 in a wave, on this thread and on worker threads.',
    ours: '2 workers',
    contenders: { 'this thread': running(0), '1 worker': running(1), '2 workers': running(2) },
  }),
  defineBench({
    name: 'rewrite-reserve/waves/plan',
    about: 'One rewrite of 16 keys in a plan of 1,000 or 10,000.',
    ours: '1000 rewrites',
    contenders: { '1000 rewrites': planning(1000), '10000 rewrites': planning(10_000) },
  }),
];
