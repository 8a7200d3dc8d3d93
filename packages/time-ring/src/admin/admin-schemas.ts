import { z } from 'zod';
import { alertCauses, deliveryStates } from '../model/alert.js';
import { blockStrategies, misfireStrategies, routeStrategies } from '../model/job.js';
import { runStates, triggerTypes, waitingReasons } from '../model/run.js';
import { alertRulesShape } from '../schedule/alert-rules.js';
import { groupShape } from '../schedule/parse-group.js';
import { jobShape, keepRunsShape, labelsShape, rateShape, retryShape, scheduleShape } from '../schedule/parse-job.js';

const id = z.number().int().min(1);
const instant = z.number().int().min(-8.64e15).max(8.64e15);
const count = z.number().int().min(0);
const list = { limit: z.number().int().min(1).max(1_000).optional(), cursor: z.string().max(1_000).optional() };

// The body was parsed from JSON, so any value of `params` is JSON.
const newJob = jobShape.extend({
  schedule: scheduleShape,
  params: z.unknown().optional(),
  start: z.boolean().optional(),
});

const trigger = z.strictObject({
  params: z.unknown().optional(),
  at: z.union([z.number(), z.string().max(100)]).optional(),
  delayMs: z.number().min(0).optional(),
  uniqueKey: z.string().min(1).max(255).optional(),
  uniqueForMs: z.number().min(0).optional(),
  priority: z.number().int().optional(),
  address: z.string().min(1).max(255).optional(),
  scheduleTime: instant.optional(),
  labels: labelsShape.optional(),
});

const included = ['params', 'result'] as const;
const runFilter = {
  jobId: z.union([id, z.string().min(1).max(255)]).optional(),
  fireId: id.optional(),
  state: z.enum(runStates).optional(),
  triggerType: z.enum(triggerTypes).optional(),
  from: instant.optional(),
  to: instant.optional(),
  text: z.string().max(1_000).optional(),
  group: z.string().max(255).optional(),
  executor: z.string().max(1_000).optional(),
  order: z.enum(['newest', 'oldest']).optional(),
};

/** `team=x,env=prod`, or JSON where a name or a value contains a comma. */
const labelsText = z
  .string()
  .max(10_000)
  .transform((text, context) => {
    const labels = labelsShape.safeParse(text.startsWith('{') ? tryJson(text) : pairs(text));
    if (labels.success) return labels.data;
    context.addIssue({ code: 'custom', message: 'must be like team=x,env=prod or a JSON object of texts' });
    return z.NEVER;
  });

const flagText = z.enum(['true', 'false']).transform((text) => text === 'true');

const includedText = z
  .string()
  .max(100)
  .transform((text) => text.split(','))
  .pipe(z.array(z.enum(included)));

function tryJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function pairs(text: string): unknown {
  return Object.fromEntries(text.split(',').map((pair) => [pair.split('=')[0], pair.split('=').slice(1).join('=')]));
}
const declaredJob = newJob.extend({ key: z.string().min(1).max(255) });

const calendar = z.strictObject({
  name: z.string().min(1).max(255),
  dates: z.array(z.string()).optional(),
  weekdays: z.array(z.number().int().min(0).max(6)).optional(),
  windows: z.array(z.string()).optional(),
  cron: z.string().optional(),
  ics: z.string().optional(),
  zone: z.string().optional(),
});

/** The schemas of requests. Every object is strict: an unknown key is an error. */
export const requestSchemas = {
  newJob,
  jobChange: newJob.omit({ start: true }).partial(),
  declaredJob,
  sync: z.strictObject({
    jobs: z.array(declaredJob).max(10_000),
    namespace: z.string().min(1).max(255).optional(),
    removeOthers: z.boolean().optional(),
  }),
  group: groupShape,
  calendar,
  alertRules: z.strictObject({ alerts: alertRulesShape }),
  alertTest: z.strictObject({ channel: z.string().min(1).max(100) }),
  deliveriesQuery: z.strictObject({ state: z.enum(deliveryStates).optional(), ...list }),
  nothing: z.strictObject({}),
  trigger,
  triggerMany: z.strictObject({ items: z.array(trigger) }),
  runFilter: z.strictObject({
    ...runFilter,
    labels: labelsShape.optional(),
    dead: z.boolean().optional(),
    include: z.array(z.enum(included)).optional(),
    limit: z.number().int().min(1).optional(),
  }),
  waitQuery: z.strictObject({ timeoutMs: z.number().int().min(0).max(60_000).optional() }),
  triggerRange: z.strictObject({ from: instant, to: instant, limit: z.number().int().min(1).max(10_000).optional() }),
  import: z.strictObject({
    text: z.string(),
    format: z.enum(['sql', 'json']).optional(),
    dryRun: z.boolean().optional(),
    zone: z.string().optional(),
  }),
  jobsQuery: z.strictObject({
    state: z.enum(['STOPPED', 'RUNNING']).optional(),
    executorGroup: z.string().max(255).optional(),
    text: z.string().max(255).optional(),
    hasAlerts: flagText.optional(),
    ...list,
  }),
  runsQuery: z.strictObject({
    ...runFilter,
    labels: labelsText.optional(),
    dead: flagText.optional(),
    include: includedText.optional(),
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
  key: z.string().nullable(),
  description: z.string(),
  owner: z.string(),
  labels: z.record(z.string(), z.string()),
  waitMs: count.nullable(),
  retry: retryShape,
  alerts: alertRulesShape,
  maxRunning: z.number().int().nullable(),
  rate: rateShape.nullable(),
  jitterMs: count,
  except: z.array(z.string()),
  keepRuns: keepRunsShape,
  namespace: z.string().nullable(),
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
  dueAt: instant.nullable(),
  state: z.enum(runStates),
  waitingFor: z.enum(waitingReasons).nullable(),
  attempt: z.number().int(),
  address: z.string().nullable(),
  shardIndex: count,
  shardTotal: z.number().int(),
  params: z.unknown(),
  uniqueKey: z.string().nullable(),
  priority: z.number().int(),
  labels: z.record(z.string(), z.string()),
  firedAt: instant.nullable(),
  startedAt: instant.nullable(),
  endedAt: instant.nullable(),
  code: z.number().int().nullable(),
  message: z.string().nullable(),
  result: z.unknown(),
  error: z.object({ name: z.string(), message: z.string(), stack: z.string() }).nullable(),
  progress: z.object({ fraction: z.number().nullable(), note: z.string() }).nullable(),
  isLastAttempt: z.boolean(),
  deduplicated: z.boolean(),
});

const executor = z.object({
  group: z.string(),
  address: z.string(),
  kind: z.enum(['local', 'remote']),
  registeredAt: instant,
  beatAt: instant,
  breaker: z.enum(['closed', 'open', 'half-open']),
  handlers: z.array(z.string()).nullable(),
  nodeId: z.string().nullable(),
});

const group = z.object({
  name: z.string(),
  title: z.string(),
  addresses: z.array(z.string()),
  maxRunning: z.number().int().nullable(),
  rate: rateShape.nullable(),
  alerts: alertRulesShape,
  paused: z.boolean(),
});

const delivery = z.object({
  channel: z.string(),
  message: z.object({
    id: count,
    on: z.enum([...alertCauses, 'test']),
    count,
    at: instant,
    text: z.string(),
    nodeId: z.string(),
    job: z.object({ id, key: z.string().nullable(), name: z.string() }).nullable(),
    run: z
      .object({
        id,
        fireId: id,
        attempt: z.number().int(),
        scheduleTime: instant.nullable(),
        message: z.string().nullable(),
      })
      .nullable(),
  }),
  state: z.enum(deliveryStates),
  tries: count,
  dueAt: instant.nullable(),
  endedAt: instant.nullable(),
  error: z.string().nullable(),
});

const channel = z.object({
  name: z.string(),
  kind: z.enum(['webhook', 'email', 'function']),
  /** The origin of the URL, the recipients, or nothing: other parts may be secret. */
  target: z.string(),
  format: z.string().nullable(),
  isSigned: z.boolean(),
});

const cursor = z.string().nullable();

/** The schemas of responses, for the description of the API and for its tests. */
export const answerSchemas = {
  job,
  jobs: z.object({ jobs: z.array(job), cursor }),
  declaredJob: z.object({ job, outcome: z.enum(['added', 'updated', 'unchanged']) }),
  synced: z.object({
    added: z.array(z.string()),
    updated: z.array(z.string()),
    unchanged: z.array(z.string()),
    removed: z.array(z.string()),
  }),
  run,
  tracedRun: run.extend({ traceId: z.string().nullable(), flowId: id.nullable() }),
  runs: z.object({ runs: z.array(run), cursor }),
  manyRuns: z.object({ runs: z.array(run) }),
  cancelled: z.object({ cancelled: z.boolean() }),
  retried: z.object({ retried: count }),
  triggeredRuns: z.object({ runs: z.array(run), truncated: z.boolean() }),
  log: z.object({ lines: z.array(z.string()), nextLine: count, end: z.boolean() }),
  killed: z.object({ killed: z.boolean() }),
  executors: z.object({ executors: z.array(executor) }),
  nodes: z.object({ nodes: z.array(z.object({ nodeId: z.string(), beatAt: instant, isAlive: z.boolean() })) }),
  group,
  groups: z.object({ groups: z.array(group) }),
  alerts: z.object({ rules: alertRulesShape, quietMs: count, channels: z.array(channel) }),
  deliveries: z.object({ deliveries: z.array(delivery), cursor }),
  tested: z.object({ sent: z.literal(true) }),
  calendar,
  calendars: z.object({ calendars: z.array(calendar) }),
  importReport: z.object({
    imported: z.array(z.object({ xxlId: z.number().int(), jobId: count, name: z.string() })),
    skipped: z.array(z.object({ xxlId: z.number().int().nullable(), reason: z.string() })),
    warnings: z.array(z.object({ xxlId: z.number().int().nullable(), message: z.string() })),
  }),
  health: z.object({
    status: z.enum(['ok', 'degraded', 'stopped']),
    nodeId: z.string(),
    claim: z.enum(['lock-row', 'buckets']),
    lastPassAt: instant.nullable(),
    buckets: z.array(count),
    waiting: z.record(z.enum(waitingReasons), count),
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
