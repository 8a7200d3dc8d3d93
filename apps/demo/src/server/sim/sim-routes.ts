import { Hono } from 'hono';
import { z } from 'zod';
import { readBody } from '../http/read-body.js';
import type { Harbour } from './live-harbour.js';
import { presets } from './presets.js';
import { MAX_RUNS, replicateText, runScenarioText, viewAt } from './run-scenario.js';

const scenario = z.string().max(200_000);
const changes = z
  .array(
    z.object({
      t: z.number().int().min(0).max(10_000),
      target: z.string().min(1).max(200),
      resumeAfterMin: z.number().int().min(0).max(1_440),
    }),
  )
  .max(50);

/** The page's requests to the simulation. */
export function simRoutes(harbour: Harbour): Hono {
  return new Hono()
    .get('/presets', (context) => context.json({ presets }))
    .post('/run', async (context) => {
      const question = await readBody(context, z.object({ scenario, changes, branch: changes.nullable() }));
      return context.json(runScenarioText(question));
    })
    .post('/view', async (context) => {
      const body = await readBody(context, z.object({ scenario, changes, t: z.number().int().min(0).max(10_000) }));
      return context.json(viewAt(body.scenario, body.changes, body.t));
    })
    .post('/replicate', async (context) => {
      const runs = z.number().int().min(1).max(MAX_RUNS);
      const body = await readBody(context, z.object({ scenario, runs }));
      return context.json(await replicateText(body.scenario, body.runs));
    })
    .post('/harbour/interrupt', async (context) => {
      const { lock } = await readBody(context, z.object({ lock: z.enum(['tug', 'crane', 'hose']) }));
      harbour.interrupt(lock);
      return context.json({});
    });
}
