import { Worker } from 'node:worker_threads';
import { systemClock } from '@horae/clock-store';
import type { EpochInput } from '../interchange/interchange.js';
import type { EpochOptions } from '../interchange/options.js';
import { InvalidEpoch, InvalidModifier, InvalidTimestamp } from '../interchange/sim-errors.js';
import { type Summary, summarize } from '../report/summarize.js';
import { runScenario } from '../scenario/run-scenario.js';

/** Runs of one input; each has a seed of its own. */
export interface RunPlan {
  readonly inputs: readonly EpochInput[];
  readonly options: EpochOptions;
  readonly warm_up_min: number;
  /** Run `i` is of input `runs[i].input`. */
  readonly runs: readonly { readonly input: number; readonly seed: string }[];
}

/** Runs that a worker takes at once; few enough that all workers end at about the same time. */
const RUNS_PER_MESSAGE = 4;

/**
 * The program of each worker. It is a text because a worker is a program of its own: it imports the package, whose functions are the same,
 * and answers lists of run numbers with summaries.
 */
const WORKER = `
  const { parentPort, workerData } = require('node:worker_threads');
  const { plan, address } = workerData;
  import(address).then(({ runScenario, summarize }) => {
    parentPort.on('message', (numbers) => {
      try {
        const summaries = numbers.map((number) => {
          const { input, seed } = plan.runs[number];
          const results = runScenario(plan.inputs[input], { ...plan.options, seed });
          return summarize(results, { warm_up_min: plan.warm_up_min });
        });
        parentPort.postMessage({ numbers, summaries });
      } catch (error) {
        if (error.details === undefined) throw error;
        const { code, message, details } = error;
        parentPort.postMessage({ numbers: [], summaries: [], problem: { code, message, details } });
      }
    });
    parentPort.postMessage({ numbers: [], summaries: [] });
  }).catch((error) => { throw error; });
`;

/** What a worker sends; a problem is an error of this package, whose class is lost between threads. */
interface WorkerAnswer {
  readonly numbers: number[];
  readonly summaries: Summary[];
  readonly problem?: { code: string; message: string; details: { field: string; value: unknown } };
}

function errorOf({ code, message, details }: NonNullable<WorkerAnswer['problem']>): Error {
  if (code === 'InvalidTimestamp') return new InvalidTimestamp(message, details);
  return code === 'InvalidModifier' ? new InvalidModifier(message, details) : new InvalidEpoch(message, details);
}

/** The summaries of all runs in their order; the numbers do not depend on the thread that computes them. */
export async function runAll(plan: RunPlan, workers: number, onDone: (done: number) => void): Promise<Summary[]> {
  if (workers > 0) return runOnWorkers(plan, workers, onDone);
  const summaries: Summary[] = [];
  for (const { input, seed } of plan.runs) {
    const results = runScenario(plan.inputs[input]!, { ...plan.options, seed });
    summaries.push(summarize(results, { warm_up_min: plan.warm_up_min }));
    onDone(summaries.length);
    // Timers and requests of the same program get their turn between two runs.
    await systemClock().sleepFor(0);
  }
  return summaries;
}

async function runOnWorkers(plan: RunPlan, count: number, onDone: (done: number) => void): Promise<Summary[]> {
  const summaries = new Array<Summary>(plan.runs.length);
  let next = 0;
  let done = 0;
  const address = new URL('./index.js', import.meta.url).href;
  const serve = (worker: Worker): Promise<void> =>
    new Promise((resolve, reject) => {
      let waiting = 0;
      const send = (): void => {
        const size = Math.min(RUNS_PER_MESSAGE, plan.runs.length - next);
        if (size === 0) return;
        worker.postMessage(Array.from({ length: size }, (_, i) => next + i));
        next += size;
        waiting++;
      };
      worker.on('error', reject);
      const take = ({ numbers, summaries: found, problem }: WorkerAnswer): void => {
        if (problem !== undefined) throw errorOf(problem);
        numbers.forEach((number, i) => {
          summaries[number] = found[i]!;
        });
        done += numbers.length;
        if (numbers.length > 0) {
          waiting--;
          onDone(done);
        } else {
          // It is ready. A second list lies with it from now on, so that it never waits for the next one.
          send();
        }
        send();
        if (waiting === 0) resolve();
      };
      worker.on('message', (answer: WorkerAnswer) => {
        try {
          take(answer);
        } catch (error) {
          reject(error);
        }
      });
    });
  const pool = Array.from({ length: Math.min(count, plan.runs.length) }, () => {
    return new Worker(WORKER, { eval: true, workerData: { plan, address } });
  });
  try {
    await Promise.all(pool.map(serve));
  } finally {
    await Promise.all(pool.map((worker) => worker.terminate()));
  }
  return summaries;
}
