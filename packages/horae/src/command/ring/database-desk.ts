import { systemClock } from '@horae/clock-store';
import { type HoraeDatabase, openDatabase } from '@horae/clock-store/storage';
import { startTimeRing, type TimeRing, TimeRingError } from '@horae/time-ring';
import { CommandInputError } from '../command-errors.js';
import { sleepingClock } from '../sleeping-clock.js';
import type { Desk } from './desk.js';

/**
 * Works on the database of a ring without taking part in it: a node whose loops never wake claims nothing, fires nothing and takes
 * over nobody's work. Works beside running nodes; they see every change with their next pass.
 */
export async function atDatabaseDesk<T>(url: string, work: (desk: Desk) => Promise<T>): Promise<T> {
  const database = await openDatabase(url);
  try {
    const ring = await sleepingRing(database);
    try {
      return await work(deskOf(ring));
    } finally {
      await ring.stop();
    }
  } finally {
    await database.close();
  }
}

/** The mode is the database's own; a new database becomes one with a lock row. */
async function sleepingRing(database: HoraeDatabase): Promise<TimeRing> {
  const clock = sleepingClock(systemClock().now);
  try {
    return await startTimeRing({ database, clock, nodeId: 'horae-command', claim: 'lock-row' });
  } catch (error) {
    if (!(error instanceof TimeRingError) || error.code !== 'claim-mode-mismatch') throw error;
    return startTimeRing({ database, clock, nodeId: 'horae-command', claim: 'buckets' });
  }
}

function deskOf(ring: TimeRing): Desk {
  return {
    add: (job) => ring.jobs.add(job),
    list: (options) => ring.jobs.list(options),
    start: (id) => ring.jobs.start(id),
    stop: (id) => ring.jobs.stop(id),
    runs: (options) => ring.runs.list(options),
    executors: (group) => ring.executors.list(group),
    log: (id, fromLine) => ring.runs.log(id, { fromLine }),
    async trigger(id, options) {
      const job = await ring.jobs.get(id);
      if (job !== null && (await ring.executors.list(job.executorGroup)).length === 0) {
        // Executors inside a node are that node's own: a run begun here would find nobody and fail.
        throw new CommandInputError(
          `nobody in the group "${job.executorGroup}" can be reached from the database alone`,
          {
            hint: 'ask the node that has the handlers: --url http://…',
            jobId: id,
          },
        );
      }
      return ring.jobs.trigger(id, options);
    },
  };
}
