import { TimeRingError } from '../../model/errors.js';
import type { Job } from '../../model/job.js';
import type { RunRow } from '../../model/run.js';
import type { JobReads, JobStore, JobTransaction } from '../job-store.js';
import { Journal, JournalledMap } from './journalled-map.js';
import { memoryAlerts } from './memory-alerts.js';
import { memoryCalendars } from './memory-calendars.js';
import { memoryEvents } from './memory-events.js';
import { memoryFlows } from './memory-flows.js';
import { memoryGlance } from './memory-glance.js';
import { memoryGroups } from './memory-groups.js';
import { memoryJobs } from './memory-jobs.js';
import { memoryNodes } from './memory-nodes.js';
import { memoryRuns } from './memory-runs.js';
import { memoryOldestEnd, memoryUpcoming } from './memory-upcoming.js';

/** A store that lives as long as the process: for tests and for trying things out. Its transactions run one at a time. */
export function memoryJobStore(): JobStore {
  const journal = new Journal();
  const jobRows = new JournalledMap<number, Job>(journal);
  const runRows = new JournalledMap<number, RunRow>(journal);
  const logs = new JournalledMap<number, readonly string[]>(journal);
  const nodes = memoryNodes(journal);
  const { openRuns, ...runs } = memoryRuns(journal, { runRows, logs, jobOf: (id) => jobRows.get(id) });
  const { groupsVersion, ...groups } = memoryGroups(journal, {
    jobs: () => jobRows.values(),
    runs: () => runRows.values(),
    putRun: (row) => runRows.set(row.id, row),
    deleteRun(id) {
      runRows.delete(id);
      logs.delete(id);
    },
    executorGroups: async () => (await nodes.executors()).map(({ group }) => group),
  });
  const memory: JobTransaction = {
    ...memoryJobs(journal, jobRows),
    ...runs,
    ...nodes,
    ...groups,
    ...memoryCalendars(journal),
    ...memoryAlerts(journal, openRuns),
    ...memoryEvents(journal),
    ...memoryFlows(journal, (id) => jobRows.get(id)),
    now: async () => null,
    takeLockRow: async () => true,
    wake: async () => {},
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

  /** Reads wait for the transaction under way, so that they never see a partial one. */
  const reading =
    <Args extends unknown[], T>(read: (...args: Args) => Promise<T>) =>
    async (...args: Args): Promise<T> => {
      await line;
      return read(...args);
    };

  const close = async () => {};
  return {
    transaction,
    glance: (query) =>
      transaction(() => memoryGlance(memory, { jobs: () => jobRows.values(), openRuns, groupsVersion }, query)),
    upcoming: reading(() => memoryUpcoming(memory, { jobs: () => jobRows.values(), openRuns })),
    oldestEnd: reading(() => memoryOldestEnd(memory, runRows.values())),
    async inTransaction() {
      throw new TimeRingError('bad-transaction', 'A store in memory has no transactions of others', {
        field: 'transaction',
      });
    },
    now: reading(memory.now),
    job: reading(memory.job),
    jobByKey: reading(memory.jobByKey),
    jobsByIds: reading(memory.jobsByIds),
    jobsByKeys: reading(memory.jobsByKeys),
    jobsOfNamespace: reading(memory.jobsOfNamespace),
    jobsBetweenFires: reading(memory.jobsBetweenFires),
    hasOpenFires: reading(memory.hasOpenFires),
    calendars: reading(memory.calendars),
    groups: reading(memory.groups),
    namedGroups: reading(memory.namedGroups),
    countRunning: reading(memory.countRunning),
    starts: reading(memory.starts),
    jobsWithHistoryLimit: reading(memory.jobsWithHistoryLimit),
    jobs: reading(memory.jobs),
    run: reading(memory.run),
    runs: reading(memory.runs),
    latestOfFires: reading(memory.latestOfFires),
    ownedRuns: reading(memory.ownedRuns),
    ownsRunOf: reading(memory.ownsRunOf),
    hasHandovers: reading(memory.hasHandovers),
    waitingRuns: reading(memory.waitingRuns),
    logLines: reading(memory.logLines),
    nodes: reading(memory.nodes),
    buckets: reading(memory.buckets),
    executors: reading(memory.executors),
    lostExecutors: reading(memory.lostExecutors),
    alertDeliveries: reading(memory.alertDeliveries),
    dueAlerts: reading(memory.dueAlerts),
    eventsAfter: reading(memory.eventsAfter),
    flow: reading(memory.flow),
    flows: reading(memory.flows),
    flowsOutside: reading(memory.flowsOutside),
    flowSteps: reading(memory.flowSteps),
    close,
    [Symbol.asyncDispose]: close,
  } satisfies JobStore & JobReads;
}
