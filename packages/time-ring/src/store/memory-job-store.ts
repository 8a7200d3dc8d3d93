import type { JobReads, JobStore, JobTransaction } from './job-store.js';
import { Journal } from './journalled-map.js';
import { memoryJobs } from './memory-jobs.js';
import { memoryNodes } from './memory-nodes.js';
import { memoryRuns } from './memory-runs.js';

/** A store that lives as long as the process: for tests and for trying things out. Its transactions happen one at a time. */
export function memoryJobStore(): JobStore {
  const journal = new Journal();
  const memory: JobTransaction = {
    ...memoryJobs(journal),
    ...memoryRuns(journal),
    ...memoryNodes(journal),
    now: async () => null,
    holdLockRow: async () => true,
  };
  journal.commit();
  let line: Promise<unknown> = Promise.resolve();

  async function transaction<T>(work: (trx: JobTransaction) => Promise<T>): Promise<T> {
    const turn = line.then(async () => {
      try {
        const result = await work(memory);
        journal.commit();
        return result;
      } catch (error) {
        journal.rollBack();
        throw error;
      }
    });
    line = turn.catch(() => {});
    return turn;
  }

  /** Reads wait for the transaction under way, so that they never see half of one. */
  const reading =
    <Args extends unknown[], T>(read: (...args: Args) => Promise<T>) =>
    async (...args: Args): Promise<T> => {
      await line;
      return read(...args);
    };

  const close = async () => {};
  return {
    transaction,
    now: reading(memory.now),
    job: reading(memory.job),
    jobsByIds: reading(memory.jobsByIds),
    jobs: reading(memory.jobs),
    run: reading(memory.run),
    runs: reading(memory.runs),
    ownedRuns: reading(memory.ownedRuns),
    logLines: reading(memory.logLines),
    nodes: reading(memory.nodes),
    buckets: reading(memory.buckets),
    executors: reading(memory.executors),
    lostExecutors: reading(memory.lostExecutors),
    close,
    [Symbol.asyncDispose]: close,
  } satisfies JobStore & JobReads;
}
