import { HOOK_NAMES } from '../interchange/hooks.js';
import type { EpochInput } from '../interchange/interchange.js';
import type { EpochOptions } from '../interchange/options.js';
import { invalidEpoch } from '../interchange/sim-errors.js';
import type { Summary } from '../report/summarize.js';
import type { Scenario } from '../scenario/load-scenario.js';
import { checkDurations } from './check-durations.js';
import { type Estimate, estimatesOf } from './estimates.js';
import { runAll } from './run-tasks.js';

/** How often, with which seeds and on how many threads an input is run. */
export interface ReplicateOptions {
  /** How many runs, from 1 to 1,000,000. */
  readonly runs: number;
  /** Run `i` has the seed `<seed>:<i>`; 0 by default. */
  readonly seed?: number | string;
  /** Threads besides this one; 0, the default, runs everything on this one. Hooks cannot go to another thread. */
  readonly workers?: number;
  /** The options of every run; its seed is replaced by that of the run. */
  readonly options?: EpochOptions;
  /** Minutes at the beginning that no figure counts; 0 by default. */
  readonly warm_up_min?: number;
  /** Called after each run with how many are done. */
  readonly onProgress?: (done: number, total: number) => void;
}

/** The figures of many runs that differ in their seeds alone. */
export interface Replication {
  runs: number;
  summaries: Summary[];
  estimates: Record<string, Estimate>;
}

/** The most runs of one call, over all points of a sweep. */
const MAX_RUNS = 1_000_000;
const MAX_WORKERS = 64;

/**
 * Runs an input (or a scenario, with all its epochs) many times with different seeds. The numbers depend on the seed, not on the
 * number of workers. Throws `InvalidEpoch` for bad options, `InvalidDuration` for a duration that no run could use, and whatever
 * a run throws.
 */
export async function replicate(input: EpochInput | Scenario, o: ReplicateOptions): Promise<Replication> {
  const [replication] = await replicateAll([input], o);
  return replication!;
}

/** The same for several inputs, with the same seeds for each. */
export async function replicateAll(inputs: readonly EpochInput[], o: ReplicateOptions): Promise<Replication[]> {
  const { runs, seed = 0, workers = 0, options = {}, warm_up_min = 0, onProgress } = o ?? {};
  checkWhole('runs', runs, 1, MAX_RUNS / Math.max(1, inputs.length));
  checkWhole('workers', workers, 0, MAX_WORKERS);
  checkWhole('warm_up_min', warm_up_min, 0, Number.MAX_SAFE_INTEGER);
  for (const input of inputs) checkDurations(input);
  const hook = HOOK_NAMES.find((name) => options[name] !== undefined);
  if (workers > 0 && hook !== undefined)
    throw invalidEpoch('workers', workers, `give 0: ${hook} cannot go to another thread`);
  const tasks = inputs.flatMap((_, point) =>
    Array.from({ length: runs }, (_run, i) => ({ input: point, seed: `${seed}:${i}` })),
  );
  const plan = { inputs, options, warm_up_min, runs: tasks };
  const summaries = await runAll(plan, workers, (done) => onProgress?.(done, tasks.length));
  return inputs.map((_, point) => {
    const own = summaries.slice(point * runs, (point + 1) * runs);
    return { runs, summaries: own, estimates: estimatesOf(own) };
  });
}

function checkWhole(field: string, value: unknown, least: number, most: number): void {
  if (Number.isSafeInteger(value) && (value as number) >= least && (value as number) <= most) return;
  throw invalidEpoch(field, value, `give a whole number from ${least} to ${Math.floor(most)}`);
}
