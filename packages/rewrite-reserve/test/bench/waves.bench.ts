import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { type Contender, defineBench } from '@horae-tooling/bench';
import type { PendingRewrite } from '../../src/index.js';
import { api, batch } from './support.js';

const RUN = fileURLToPath(new URL('./wave-run.mjs', import.meta.url));

/** Starting the threads is part of the time, as it is for users. */
function running(workers: number, count: number): Contender<undefined> {
  return {
    sample: () => Number(execFileSync(process.execPath, [RUN, `${workers}`, `${count}`], { encoding: 'utf8' })),
  };
}

const onThreads = (count: number) =>
  defineBench({
    name: `rewrite-reserve/waves/run/${count}`,
    about: `One rewrite of about 20 microseconds of work, ${count} in a wave, on this thread and on worker threads.`,
    ours: '2 workers',
    contenders: {
      'this thread': running(0, count),
      '1 worker': running(1, count),
      '2 workers': running(2, count),
    },
  });

const planning = (n: number): Contender<PendingRewrite[]> => ({
  setup: () => batch('handles', n, 16),
  run: (rewrites) => api.planWaves(rewrites).length,
  operations: n,
});

export default [
  onThreads(2000),
  onThreads(20_000),
  defineBench({
    name: 'rewrite-reserve/waves/plan',
    about: 'One rewrite of 16 keys in a plan of 1,000 or 10,000.',
    ours: '1000 rewrites',
    contenders: { '1000 rewrites': planning(1000), '10000 rewrites': planning(10_000) },
  }),
];
