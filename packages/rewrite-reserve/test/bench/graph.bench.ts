import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { type Contender, defineBench } from '@horae-tooling/bench';

const RUN = fileURLToPath(new URL('./graph-run.mjs', import.meta.url));

function running(way: string, workers: number, microseconds: number): Contender<undefined> {
  return {
    sample: () =>
      Number(execFileSync(process.execPath, [RUN, way, `${workers}`, `${microseconds}`], { encoding: 'utf8' })),
  };
}

/** Planning is part of the time, and so is starting the threads, except for the pool. */
const ofWork = (microseconds: number, wanted: boolean) =>
  defineBench({
    name: `rewrite-reserve/graph/${microseconds}us`,
    about: `One task of about ${microseconds} microseconds of work; ${microseconds < 1000 ? '20,000' : '2,000'} in 90 levels, as a graph, as waves, on one thread.`,
    ours: 'pool, 2 workers',
    contenders: {
      'pool, 2 workers': running('pool', 2, microseconds),
      'graph, 2 workers': running('graph', 2, microseconds),
      'waves, 2 workers': running('waves', 2, microseconds),
      'this thread': running('here', 0, microseconds),
    },
    wanted: wanted ? [{ against: 'this thread', ratioAtLeast: 1 }] : [],
  });

export default [ofWork(1, false), ofWork(5, true), ofWork(20, true), ofWork(100, true), ofWork(1000, true)];
