import { Hono } from 'hono';
import { blockStrategies, misfireStrategies, routeStrategies } from 'horae/ring/strategies';
import { z } from 'zod';
import { cronDialects } from '../../wire/cron.js';
import { handlerNames } from '../../wire/ring.js';
import { BadRequest, readBody } from '../http/read-body.js';
import type { RingWatch } from './ring-watch.js';

const job = z.object({
  name: z.string().min(1).max(80),
  handler: z.enum(handlerNames),
  schedule: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('cron'), expression: z.string().max(200), dialect: z.enum(cronDialects) }),
    z.object({ kind: z.literal('fix-rate'), everyMs: z.number() }),
    z.object({ kind: z.literal('none') }),
  ]),
  params: z.unknown(),
  misfire: z.enum(misfireStrategies),
  route: z.enum(routeStrategies),
  block: z.enum(blockStrategies),
  retries: z.number().int().min(0).max(10),
});
const id = z.object({ id: z.number().int().min(1) });
const MAX_JOBS = 100;
/** Long enough that due runs are missed: five seconds are claimed ahead, five more may be late. */
const REST_MS = 14_000;

/** The page's requests to the time ring. */
export function ringRoutes(watch: RingWatch): Hono {
  const routes = new Hono();
  routes.post('/jobs', async (context) => {
    const { jobs } = await watch.ring().jobs.list({ limit: MAX_JOBS });
    if (jobs.length >= MAX_JOBS) throw new BadRequest(`The demo keeps ${MAX_JOBS} jobs at most; remove one first.`);
    const draft = await readBody(context, job);
    const start = draft.schedule.kind !== 'none';
    return context.json(await watch.ring().jobs.add({ ...draft, start }));
  });
  routes.post('/jobs/:verb{start|stop|remove}', async (context) => {
    const { id: jobId } = await readBody(context, id);
    await watch.ring().jobs[context.req.param('verb') as 'start' | 'stop' | 'remove'](jobId);
    return context.json({});
  });
  routes.post('/jobs/trigger', async (context) => {
    const body = await readBody(context, id.extend({ params: z.unknown().optional() }));
    const params = body.params === undefined ? {} : { params: body.params };
    return context.json(await watch.ring().jobs.trigger(body.id, params));
  });
  routes.post('/runs/kill', async (context) => {
    const { id: runId } = await readBody(context, id);
    return context.json({ killed: await watch.ring().runs.kill(runId) });
  });
  routes.get('/runs/:id{[0-9]+}/log', async (context) =>
    context.json(await watch.ring().runs.log(Number(context.req.param('id')))),
  );
  nodeRoutes(routes, watch);
  return routes;
}

function nodeRoutes(routes: Hono, watch: RingWatch): void {
  routes.post('/executors/add', async (context) => {
    await watch.node().addExecutor();
    return context.json({});
  });
  routes.post('/executors/remove', async (context) => {
    const { address } = await readBody(context, z.object({ address: z.string().max(200) }));
    await watch.node().removeExecutor(address);
    return context.json({});
  });
  routes.post('/nodes/add', (context) => {
    watch.helpers.add();
    return context.json({});
  });
  routes.post('/nodes/end', async (context) => {
    const { name, how } = await readBody(
      context,
      z.object({ name: z.string().max(80), how: z.enum(['stop', 'kill']) }),
    );
    watch.helpers.end(name, how);
    return context.json({});
  });
  routes.post('/rest', (context) => {
    void watch.rest(REST_MS);
    return context.json({});
  });
}
