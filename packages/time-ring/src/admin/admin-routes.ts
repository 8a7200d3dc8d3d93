import { findInternals } from '../engine/ring-internals.js';
import { importXxlJobs } from '../import/import-xxl-jobs.js';
import { TimeRingError } from '../model/errors.js';
import { flowOfStep } from '../model/flow-rows.js';
import type { TimeRing } from '../model/interface.js';
import { type AdminRoute, adminRoute, json } from './admin-route.js';
import { answerSchemas as gives, requestSchemas as takes } from './admin-schemas.js';
import { alertRoutes } from './alert-routes.js';
import { askingRoutes } from './asking-routes.js';
import type { EventStreams } from './event-streams.js';
import { flowRoutes } from './flow-routes.js';
import { calendarRoutes, groupRoutes } from './group-routes.js';
import { METRICS_TYPE, metricsText } from './metrics-text.js';
import { openApiDocument } from './open-api.js';
import { recentRunsRoutes } from './recent-runs-routes.js';
import { reportRoutes } from './report-routes.js';
import { scheduleRoutes } from './schedule-routes.js';
import { searchJobs } from './search-jobs.js';

const aJob = { description: 'The job', schema: gives.job };

/** Every route of the admin API. */
export function adminRoutes(ring: TimeRing, streams: EventStreams): readonly AdminRoute[] {
  const routes = [
    ...watchingRoutes(ring, streams),
    ...jobRoutes(ring),
    ...askingRoutes(ring),
    ...jobActionRoutes(ring),
    ...runRoutes(ring),
    ...groupRoutes(ring),
    ...calendarRoutes(ring),
    ...alertRoutes(ring),
    ...flowRoutes(ring),
    ...otherRoutes(ring),
    ...scheduleRoutes(ring),
    ...reportRoutes(ring),
    ...recentRunsRoutes(ring),
  ];
  const document = openApiDocument([...routes, openApiRoute(() => null)]);
  return [...routes, openApiRoute(() => document)];
}

function openApiRoute(document: () => unknown): AdminRoute {
  return adminRoute({
    method: 'GET',
    path: '/admin/openapi.json',
    summary: 'This description of the API',
    answers: { 200: { description: 'An OpenAPI 3.1 document' } },
    answer: () => json(document()),
  });
}

function watchingRoutes(ring: TimeRing, streams: EventStreams): AdminRoute[] {
  return [
    adminRoute({
      method: 'GET',
      path: '/admin/health',
      summary: 'How this node is',
      isPublic: true,
      answers: { 200: { description: 'Its health, good or bad', schema: gives.health } },
      answer: ({ isTrusted }) => json(isTrusted ? ring.health() : { ...ring.health(), problem: null }),
    }),
    adminRoute({
      method: 'GET',
      path: '/admin/ready',
      summary: 'Whether this node does its work',
      isPublic: true,
      answers: {
        200: { description: 'It does', schema: gives.ready },
        503: { description: 'It does not', schema: gives.ready },
      },
      answer({ isTrusted }) {
        const { status, problem } = ring.health();
        const isReady = status === 'ok';
        const told = isReady || !isTrusted ? null : (problem ?? status);
        return json({ ready: isReady, problem: told }, isReady ? 200 : 503);
      },
    }),
    adminRoute({
      method: 'GET',
      path: '/admin/metrics',
      summary: 'Counters and gauges of this node for Prometheus',
      answers: { 200: { description: 'Prometheus text', contentType: METRICS_TYPE } },
      answer: () => ({
        kind: 'text',
        contentType: METRICS_TYPE,
        text: metricsText(ring.metrics(), findInternals(ring)?.node.statistics),
      }),
    }),
    adminRoute({
      method: 'GET',
      path: '/admin/events',
      summary: 'What happens on this node, as it happens',
      answers: { 200: { description: 'Server-sent events', contentType: 'text/event-stream' } },
      answer: () => streams.answer(),
    }),
  ];
}

function jobRoutes(ring: TimeRing): AdminRoute[] {
  return [
    adminRoute({
      method: 'GET',
      path: '/admin/jobs',
      summary: 'Jobs by id, a page at a time',
      query: takes.jobsQuery,
      answers: { 200: { description: 'A page; cursor is null on the last', schema: gives.jobs } },
      answer: async ({ query }) => json(await searchJobs(ring.jobs, query, findInternals(ring)?.node.store)),
    }),
    adminRoute({
      method: 'POST',
      path: '/admin/jobs',
      summary: 'Adds a job',
      body: takes.newJob,
      answers: { 201: aJob },
      answer: async ({ body }) => json(await ring.jobs.add(body), 201),
    }),
    adminRoute({
      method: 'PUT',
      path: '/admin/jobs',
      summary: 'Declares a job by its key: adds it, changes it or leaves it as it is',
      body: takes.declaredJob,
      answers: { 200: { description: 'The job and what was done', schema: gives.declaredJob } },
      answer: async ({ body }) => json(await ring.jobs.put(body)),
    }),
    adminRoute({
      method: 'POST',
      path: '/admin/jobs/sync',
      summary: 'Declares a list of jobs in one transaction',
      body: takes.sync,
      answers: { 200: { description: 'The keys, by what was done', schema: gives.synced } },
      answer: async ({ body: { jobs, ...options } }) => json(await ring.jobs.sync(jobs, options)),
    }),
    adminRoute({
      method: 'GET',
      path: '/admin/jobs/{id}',
      summary: 'One job',
      answers: { 200: aJob },
      async answer({ job: ref }) {
        const job = await ring.jobs.get(ref);
        if (job === null) throw new TimeRingError('unknown-job', `There is no job ${ref}`, { field: 'id', value: ref });
        return json(job);
      },
    }),
    adminRoute({
      method: 'PATCH',
      path: '/admin/jobs/{id}',
      summary: 'Changes a job',
      body: takes.jobChange,
      answers: { 200: aJob },
      answer: async ({ job, body }) => json(await ring.jobs.update(job, body)),
    }),
    adminRoute({
      method: 'DELETE',
      path: '/admin/jobs/{id}',
      summary: 'Removes a job; its history stays',
      answers: { 204: { description: 'It is gone' } },
      async answer({ job }) {
        await ring.jobs.remove(job);
        return { kind: 'empty' };
      },
    }),
  ];
}

function jobActionRoutes(ring: TimeRing): AdminRoute[] {
  return [
    ...(['start', 'stop'] as const).map((verb) =>
      adminRoute({
        method: 'POST',
        path: `/admin/jobs/{id}/${verb}`,
        summary: verb === 'start' ? 'Puts a job on its schedule' : 'Takes a job off its schedule',
        body: takes.nothing,
        isBodyOptional: true,
        answers: { 200: aJob },
        answer: async ({ job }) => json(await ring.jobs[verb](job)),
      }),
    ),
    adminRoute({
      method: 'POST',
      path: '/admin/jobs/{id}/trigger-range',
      summary: 'Runs every occurrence in [from, to) again',
      body: takes.triggerRange,
      answers: { 202: { description: 'The runs', schema: gives.triggeredRuns } },
      answer: async ({ job, body }) => json(await ring.jobs.triggerRange(job, body), 202),
    }),
  ];
}

function runRoutes(ring: TimeRing): AdminRoute[] {
  return [
    adminRoute({
      method: 'GET',
      path: '/admin/runs',
      summary: 'Runs, the newest first, a page at a time',
      query: takes.runsQuery,
      answers: { 200: { description: 'A page; cursor is null on the last', schema: gives.runs } },
      answer: async ({ query }) => json(await ring.runs.list(query)),
    }),
    adminRoute({
      method: 'GET',
      path: '/admin/runs/{id}',
      summary: 'One run',
      answers: { 200: { description: 'The run, the trace and the flow it belongs to', schema: gives.tracedRun } },
      async answer({ id }) {
        const run = await knownRun(ring, id);
        const row = (await findInternals(ring)?.node.store.run(id)) ?? null;
        const step = row?.flowStep ?? null;
        // A W3C trace parent: version, trace, span, flags.
        const traceId = row?.trace?.split('-')[1] ?? null;
        return json({ ...run, traceId, flowId: step === null ? null : flowOfStep(step) });
      },
    }),
    adminRoute({
      method: 'GET',
      path: '/admin/runs/{id}/log',
      summary: 'Lines of a run’s log, from a line on',
      query: takes.logQuery,
      answers: { 200: { description: 'Lines; ask again from nextLine until end', schema: gives.log } },
      async answer({ id, query }) {
        await knownRun(ring, id);
        return json(await ring.runs.log(id, query));
      },
    }),
    adminRoute({
      method: 'POST',
      path: '/admin/runs/{id}/kill',
      summary: 'Ends a run that is under way',
      body: takes.nothing,
      isBodyOptional: true,
      answers: { 200: { description: 'False: it was already over', schema: gives.killed } },
      async answer({ id }) {
        await knownRun(ring, id);
        return json({ killed: await ring.runs.kill(id) });
      },
    }),
  ];
}

function otherRoutes(ring: TimeRing): AdminRoute[] {
  return [
    adminRoute({
      method: 'GET',
      path: '/admin/executors',
      summary: 'Executors that are alive',
      query: takes.executorsQuery,
      answers: { 200: { description: 'By group, then address', schema: gives.executors } },
      answer: async ({ query }) => json({ executors: await ring.executors.list(query.group) }),
    }),
    adminRoute({
      method: 'GET',
      path: '/admin/nodes',
      summary: 'Nodes of the ring, with their last heartbeat',
      answers: { 200: { description: 'By name', schema: gives.nodes } },
      async answer() {
        const node = findInternals(ring)?.node;
        const beats = node === undefined ? [] : await node.store.nodes();
        const now = node === undefined ? 0 : node.time.now();
        const nodes = beats.map(({ nodeId, beatAt }) => ({
          nodeId,
          beatAt,
          isAlive: now - beatAt <= node!.options.leaseMs,
        }));
        return json({ nodes: nodes.sort((a, b) => (a.nodeId < b.nodeId ? -1 : 1)) });
      },
    }),
    adminRoute({
      method: 'POST',
      path: '/admin/import',
      summary: 'Takes over the jobs of an XXL-JOB export',
      body: takes.import,
      answers: { 200: { description: 'What was imported and what was not', schema: gives.importReport } },
      answer: async ({ body: { text, ...options } }) => json(await importXxlJobs(ring, text, options)),
    }),
  ];
}

async function knownRun(ring: TimeRing, id: number) {
  const run = await ring.runs.get(id);
  if (run === null) throw new TimeRingError('unknown-run', `There is no run ${id}`, { field: 'id', value: id });
  return run;
}
