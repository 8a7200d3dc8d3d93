import { z } from 'zod';
import { TimeRingError } from '../model/errors.js';
import { flowStates, stepConditions } from '../model/flow.js';
import type { TimeRing } from '../model/interface.js';
import { runStates } from '../model/run.js';
import { type AdminRoute, adminRoute, json } from './admin-route.js';
import { answerSchemas as gives, requestSchemas as takes } from './admin-schemas.js';

const name = z.string().min(1).max(255);
const id = z.number().int().min(1);

const newFlow = z.strictObject({
  name,
  steps: z.record(
    z.string(),
    z.strictObject({
      job: z.union([id, name]),
      // The body came as JSON, so whatever stands in `params` is JSON.
      params: z.unknown().optional(),
      after: z.array(z.string()).optional(),
      when: z.enum(stepConditions).optional(),
    }),
  ),
});

const startQuery = z.strictObject({ fromRun: id.optional() });
const flowsQuery = z.strictObject({
  state: z.enum(flowStates).optional(),
  name: name.optional(),
  limit: z.number().int().min(1).max(1_000).optional(),
  cursor: z.string().max(1_000).optional(),
});

const flow = z.object({
  id,
  name: z.string(),
  state: z.enum(flowStates),
  steps: z.record(z.string(), z.object({ runId: id.nullable(), state: z.enum([...runStates, 'waiting']) })),
  createdAt: z.number().int(),
  endedAt: z.number().int().nullable(),
});

/** Flows: several runs, one after another. */
export function flowRoutes(ring: TimeRing): AdminRoute[] {
  return [
    adminRoute({
      method: 'GET',
      path: '/admin/flows',
      summary: 'Flows, the newest first',
      query: flowsQuery,
      answers: {
        200: { description: 'A page', schema: z.object({ flows: z.array(flow), cursor: z.string().nullable() }) },
      },
      answer: async ({ query }) => json(await ring.flows.list(query)),
    }),
    adminRoute({
      method: 'POST',
      path: '/admin/flows',
      summary: 'Starts a flow; `fromRun` is the run whose handler starts it',
      query: startQuery,
      body: newFlow,
      answers: { 201: { description: 'The flow', schema: flow } },
      answer: async ({ body, query }) => json(await ring.flows.start(body, query), 201),
    }),
    adminRoute({
      method: 'GET',
      path: '/admin/flows/{id}',
      summary: 'One flow with its steps',
      answers: { 200: { description: 'The flow', schema: flow } },
      async answer({ id }) {
        const found = await ring.flows.get(id);
        if (found !== null) return json(found);
        throw new TimeRingError('unknown-flow', `There is no flow ${id}`, { field: 'id', value: id });
      },
    }),
    adminRoute({
      method: 'POST',
      path: '/admin/flows/{id}/cancel',
      summary: 'Skips the waiting steps of a flow and kills its open runs',
      body: takes.nothing,
      isBodyOptional: true,
      answers: { 200: { description: 'False: it was already over', schema: gives.cancelled } },
      answer: async ({ id }) => json({ cancelled: await ring.flows.cancel(id) }),
    }),
  ];
}
