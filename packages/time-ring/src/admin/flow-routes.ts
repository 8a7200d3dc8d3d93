import { z } from 'zod';
import { findInternals } from '../engine/ring-internals.js';
import { TimeRingError } from '../model/errors.js';
import { flowStates, stepConditions } from '../model/flow.js';
import type { TimeRing } from '../model/interface.js';
import { runStates } from '../model/run.js';
import { type AdminRoute, adminRoute, json } from './admin-route.js';
import { answerSchemas as gives, requestSchemas as takes } from './admin-schemas.js';
import { groupNames, groupsText } from './group-names.js';

const name = z.string().min(1).max(255);
const id = z.number().int().min(1);

const newFlow = z.strictObject({
  name,
  steps: z.record(
    z.string(),
    z.strictObject({
      job: z.union([id, name]),
      // The body was parsed from JSON, so any value of `params` is JSON.
      params: z.unknown().optional(),
      after: z.array(z.string()).optional(),
      when: z.enum(stepConditions).optional(),
    }),
  ),
});

const startQuery = z.strictObject({ fromRun: id.optional(), groups: groupsText });
const flowsQuery = z.strictObject({
  state: z.enum(flowStates).optional(),
  name: name.optional(),
  groups: groupsText,
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

const MAX_DRAWN = 1_000;
const graphStep = z.object({ name: z.string(), jobId: id.nullable(), after: z.array(z.string()) });

/** Flows: several runs, one after another. */
export function flowRoutes(ring: TimeRing): AdminRoute[] {
  return [
    adminRoute({
      method: 'GET',
      path: '/admin/flows',
      summary:
        'Flows, the newest first; with `groups`, a JSON array, those whose jobs are all in these executor groups',
      query: flowsQuery,
      answers: {
        200: { description: 'A page', schema: z.object({ flows: z.array(flow), cursor: z.string().nullable() }) },
      },
      answer: async ({ query: { groups, ...query } }) =>
        json(await ring.flows.list({ ...query, groups: groupNames(groups) })),
    }),
    adminRoute({
      method: 'POST',
      path: '/admin/flows',
      summary:
        'Starts a flow of jobs, all in `groups` where these are given; `fromRun` is the run whose handler starts it',
      query: startQuery,
      body: newFlow,
      answers: { 201: { description: 'The flow', schema: flow } },
      answer: async ({ body, query: { fromRun, groups } }) =>
        json(await ring.flows.start(body, { fromRun, groups: groupNames(groups) }), 201),
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
    flowGraphRoute(ring),
  ];
}

/** The links between the steps of a flow, for drawing it. */
function flowGraphRoute(ring: TimeRing): AdminRoute {
  return adminRoute({
    method: 'GET',
    path: '/admin/flows/{id}/graph',
    summary: 'The steps of a flow in their order, each with its job and the steps before it',
    answers: { 200: { description: 'The first 1,000 steps', schema: z.object({ steps: z.array(graphStep) }) } },
    async answer({ id }) {
      const node = findInternals(ring)?.node;
      if (node === undefined || (await ring.flows.get(id)) === null)
        throw new TimeRingError('unknown-flow', `There is no flow ${id}`, { field: 'id', value: id });
      const steps = await node.store.transaction(async (trx) => {
        const shown = await trx.flowSteps({ flowId: id, afterId: 0, limit: MAX_DRAWN });
        const ids = shown.map((step) => step.id);
        return { shown, plans: await trx.stepPlans(ids), links: await trx.stepLinks({ ids }) };
      });
      const jobOf = new Map(steps.plans.map((plan) => [plan.id, plan.jobId]));
      const nextOf = new Map(steps.links.map((link) => [link.id, link.next]));
      const before = steps.shown.map(() => [] as string[]);
      // Links name steps by their number in the flow, which is their index in this list.
      for (const { id: stepId, name: stepName } of steps.shown)
        for (const next of nextOf.get(stepId) ?? []) before[next]?.push(stepName);
      return json({
        steps: steps.shown.map((step, index) => ({
          ...{ name: step.name, jobId: jobOf.get(step.id) ?? null, after: before[index] },
        })),
      });
    },
  });
}
