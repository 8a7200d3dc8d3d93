import { Hono } from 'hono';
import { z } from 'zod';
import { readBody } from '../http/read-body.js';
import type { ShiftWatch } from './shift-watch.js';

const name = z.string().min(1).max(40);

/** The page's requests to the chain. */
export function shiftRoutes(watch: ShiftWatch): Hono {
  return new Hono()
    .post('/submit', async (context) => {
      const shape = z.object({ redeemer: z.enum(['advance', 'rewind']), signer: name.nullable() });
      const { redeemer, signer } = await readBody(context, shape);
      return context.json(await watch.submit(redeemer, signer));
    })
    .post('/lifecycle', async (context) => {
      const shape = z.object({ step: z.enum(['register', 'activate', 'deregister', 'retire']), name });
      const body = await readBody(context, shape);
      return context.json(await watch.lifecycle(body.step, body.name));
    })
    .post('/rollback', async (context) => {
      await watch.rollback();
      return context.json({});
    })
    .post('/autopilot', async (context) => {
      const { on } = await readBody(context, z.object({ on: z.boolean() }));
      await watch.setAutopilot(on);
      return context.json({});
    });
}
