import type { TimeRing } from '../model/interface.js';
import { type AdminRoute, adminRoute, json } from './admin-route.js';
import { answerSchemas as gives, requestSchemas as takes } from './admin-schemas.js';

/** The maximum time that a request waits for a run. */
export const MAX_WAIT_MS = 60_000;

/** Triggering runs, many at once, and reading their outcomes. */
export function askingRoutes(ring: TimeRing): AdminRoute[] {
  return [
    adminRoute({
      method: 'POST',
      path: '/admin/jobs/{id}/trigger',
      summary: 'Runs a job once, now or at its time',
      body: takes.trigger,
      isBodyOptional: true,
      answers: { 202: { description: 'The run; of a broadcast, the first shard', schema: gives.run } },
      answer: async ({ job, body }) => json(await ring.jobs.trigger(job, body), 202),
    }),
    adminRoute({
      method: 'POST',
      path: '/admin/jobs/{id}/trigger-many',
      summary: 'Runs a job up to 10,000 times: all or nothing',
      body: takes.triggerMany,
      answers: { 202: { description: 'The runs, in the order of the items', schema: gives.manyRuns } },
      answer: async ({ job, body }) => json({ runs: await ring.jobs.triggerMany(job, body.items) }, 202),
    }),
    adminRoute({
      method: 'POST',
      path: '/admin/runs/{id}/retry',
      summary: 'The next attempt of a run that failed, was killed or was skipped',
      body: takes.nothing,
      isBodyOptional: true,
      answers: { 202: { description: 'The new run', schema: gives.run } },
      answer: async ({ id }) => json(await ring.runs.retry(id), 202),
    }),
    adminRoute({
      method: 'POST',
      path: '/admin/runs/{id}/cancel',
      summary: 'Keeps a pending run from starting, or kills it',
      body: takes.nothing,
      isBodyOptional: true,
      answers: { 200: { description: 'False: it was already over', schema: gives.cancelled } },
      answer: async ({ id }) => json({ cancelled: await ring.runs.cancel(id) }),
    }),
    adminRoute({
      method: 'POST',
      path: '/admin/runs/retry',
      summary: 'Retries the runs of a filter that can be, at most 1,000 unless limit says more',
      body: takes.runFilter,
      isBodyOptional: true,
      answers: { 200: { description: 'How many', schema: gives.retried } },
      answer: async ({ body }) => json({ retried: await ring.runs.retryMany(body) }),
    }),
    adminRoute({
      method: 'GET',
      path: '/admin/runs/{id}/wait',
      summary: 'Answers when the run is over, retries included',
      query: takes.waitQuery,
      answers: {
        200: { description: 'The last attempt', schema: gives.run },
        408: { description: 'It is not over yet: ask again', schema: gives.error },
      },
      answer: async ({ id, query }) => json(await ring.runs.wait(id, { timeoutMs: query.timeoutMs ?? MAX_WAIT_MS })),
    }),
  ];
}
