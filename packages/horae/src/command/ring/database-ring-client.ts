import { connectTimeRing, type RingClient as DatabaseClient, importXxlJobs } from '@horae/time-ring';
import type { RingClient } from './ring-client.js';
import { tokenOf } from './tokens.js';

/** Runs `work` on the database of a ring without taking part in scheduling. Running nodes see every change with their next pass. */
export async function withDatabaseClient<T>(url: string, work: (client: RingClient) => Promise<T>): Promise<T> {
  // Log reads and kills go to executors on other machines with the token that those executors have.
  const accessToken = tokenOf('--token', undefined, 'HORAE_TOKEN');
  const client = await connectTimeRing({
    database: url,
    ...(accessToken === undefined ? {} : { http: { accessToken } }),
  });
  try {
    return await work(clientOf(client));
  } finally {
    await client.close();
  }
}

function clientOf(ring: DatabaseClient): RingClient {
  return {
    add: (job) => ring.jobs.add(job),
    update: (id, change) => ring.jobs.update(id, change),
    remove: (id) => ring.jobs.remove(id),
    list: (options) => ring.jobs.list(options),
    start: (id) => ring.jobs.start(id),
    stop: (id) => ring.jobs.stop(id),
    trigger: (id, options) => ring.jobs.trigger(id, options),
    runs: (options) => ring.runs.list(options),
    run: (run) => ring.runs.get(run),
    kill: (run) => ring.runs.kill(run),
    retry: (run) => ring.runs.retry(run),
    pause: (group) => ring.groups.pause(group),
    resume: (group) => ring.groups.resume(group),
    executors: (group) => ring.executors.list(group),
    log: (id, fromLine) => ring.runs.log(id, { fromLine }),
    startFlow: (flow) => ring.flows.start(flow),
    flows: (options) => ring.flows.list(options),
    flow: (id) => ring.flows.get(id),
    cancelFlow: (id) => ring.flows.cancel(id),
    importXxl: (text, options) => importXxlJobs(ring, text, options),
  };
}
