import { z } from 'zod';
import { jobShape, scheduleShape } from '../decide/parse-job.js';
import { blockStrategies, misfireStrategies, routeStrategies } from '../job.js';
import { runStates, triggerTypes } from '../run.js';

const id = z.number().int().min(1);
const instant = z.number().int().min(-8.64e15).max(8.64e15);
const count = z.number().int().min(0);
const list = { limit: z.number().int().min(1).max(1_000).optional(), cursor: z.string().max(1_000).optional() };

// The body came as JSON, so whatever stands in `params` is JSON.
const newJob = jobShape.extend({
  schedule: scheduleShape,
  params: z.unknown().optional(),
  start: z.boolean().optional(),
});

/** What comes in. Every object is strict: a key that is not known is a mistake. */
export const requestSchemas = {
  newJob,
  jobChange: newJob.omit({ start: true }).partial(),
  nothing: z.strictObject({}),
  trigger: z.strictObject({
    params: z.unknown().optional(),
    scheduleTime: instant.optional(),
    address: z.string().min(1).max(255).optional(),
  }),
  triggerRange: z.strictObject({ from: instant, to: instant, limit: z.number().int().min(1).max(10_000).optional() }),
  import: z.strictObject({
    text: z.string(),
    format: z.enum(['sql', 'json']).optional(),
    dryRun: z.boolean().optional(),
  }),
  jobsQuery: z.strictObject({
    state: z.enum(['STOPPED', 'RUNNING']).optional(),
    executorGroup: z.string().max(255).optional(),
    ...list,
  }),
  runsQuery: z.strictObject({
    jobId: id.optional(),
    fireId: id.optional(),
    state: z.enum(runStates).optional(),
    triggerType: z.enum(triggerTypes).optional(),
    from: instant.optional(),
    to: instant.optional(),
    ...list,
  }),
  logQuery: z.strictObject({ fromLine: count.optional() }),
  executorsQuery: z.strictObject({ group: z.string().max(255).optional() }),
};

const job = z.object({
  id,
  name: z.string(),
  handler: z.string(),
  schedule: scheduleShape,
  params: z.unknown(),
  misfire: z.enum(misfireStrategies),
  route: z.enum(routeStrategies),
  block: z.enum(blockStrategies),
  concurrency: z.number().int(),
  timeoutMs: z.number().int().nullable(),
  retries: count,
  priority: z.number().int(),
  children: z.array(id),
  executorGroup: z.string(),
  state: z.enum(['STOPPED', 'RUNNING']),
  stopReason: z.object({ code: z.enum(['user', 'no-next-time', 'bad-schedule']), message: z.string() }).nullable(),
  lastAt: instant.nullable(),
  nextAt: instant.nullable(),
  createdAt: instant,
  updatedAt: instant,
});

const run = z.object({
  id,
  fireId: id,
  jobId: id,
  scheduleTime: instant.nullable(),
  triggerType: z.enum(triggerTypes),
  state: z.enum(runStates),
  attempt: z.number().int(),
  address: z.string().nullable(),
  shardIndex: count,
  shardTotal: z.number().int(),
  params: z.unknown(),
  firedAt: instant.nullable(),
  startedAt: instant.nullable(),
  endedAt: instant.nullable(),
  code: z.number().int().nullable(),
  message: z.string().nullable(),
});

const executor = z.object({
  group: z.string(),
  address: z.string(),
  kind: z.enum(['local', 'remote']),
  registeredAt: instant,
  beatAt: instant,
  breaker: z.enum(['closed', 'open', 'half-open']),
});

const cursor = z.string().nullable();

/** What goes out, for the description of the API and for tests of it. */
export const answerSchemas = {
  job,
  jobs: z.object({ jobs: z.array(job), cursor }),
  run,
  runs: z.object({ runs: z.array(run), cursor }),
  triggeredRuns: z.object({ runs: z.array(run), truncated: z.boolean() }),
  log: z.object({ lines: z.array(z.string()), nextLine: count, end: z.boolean() }),
  killed: z.object({ killed: z.boolean() }),
  executors: z.object({ executors: z.array(executor) }),
  importReport: z.object({
    imported: z.array(z.object({ xxlId: z.number().int(), jobId: count, name: z.string() })),
    skipped: z.array(z.object({ xxlId: z.number().int().nullable(), reason: z.string() })),
  }),
  health: z.object({
    status: z.enum(['ok', 'degraded', 'stopped']),
    nodeId: z.string(),
    claim: z.enum(['lock-row', 'buckets']),
    lastPassAt: instant.nullable(),
    buckets: z.array(count),
    problem: z.string().nullable(),
  }),
  ready: z.object({ ready: z.boolean(), problem: z.string().nullable() }),
  error: z.object({
    error: z.object({
      code: z.string(),
      message: z.string(),
      issues: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
    }),
  }),
};
