import { tryParseCron } from '@horae/cron-grammar';
import { blockStrategies, misfireStrategies, routeStrategies } from '@horae/time-ring/strategies';
import { z } from 'zod';
import { durationSchema } from '../arguments/duration-schema.js';
import { zoneSchema } from '../arguments/zone-schema.js';
import { checkWork, workFields } from '../daemon/work.js';
import { readConfig } from '../documents/config-file.js';
import { alertRule, httpOptions, nodeOptions } from './serve-options.js';

const cronSchedule = z
  .strictObject({
    kind: z.literal('cron'),
    expression: z.string(),
    dialect: z.enum(['posix', 'vixie', 'quartz']).default('quartz'),
    zone: zoneSchema.optional(),
  })
  .superRefine(({ expression, dialect }, context) => {
    const parsed = tryParseCron(expression, { dialect });
    if (parsed.ok) return;
    const { reason, suggestion } = parsed.error.details;
    const meant = suggestion === undefined ? '' : `; did you mean "${suggestion}"?`;
    context.addIssue({
      code: 'custom',
      path: ['expression'],
      message: `a ${dialect} cron expression (${reason}${meant})`,
    });
  });

const schedule = z.discriminatedUnion('kind', [
  cronSchedule,
  z.strictObject({ kind: z.literal('fix-rate'), everyMs: durationSchema.refine((ms) => ms >= 100, 'at least 100ms') }),
  z.strictObject({ kind: z.literal('fix-delay'), everyMs: durationSchema.refine((ms) => ms >= 1000, 'at least 1s') }),
  z.strictObject({ kind: z.literal('once'), at: z.int().min(0) }),
  z.strictObject({
    kind: z.literal('interval'),
    every: z.strictObject({
      months: z.int().min(1).optional(),
      weeks: z.int().min(1).optional(),
      days: z.int().min(1).optional(),
      hours: z.int().min(1).optional(),
      minutes: z.int().min(1).optional(),
    }),
    anchor: z.string().min(1),
    zone: zoneSchema.optional(),
  }),
  z.strictObject({ kind: z.literal('none') }),
]);

const retry = z
  .discriminatedUnion('kind', [
    z.strictObject({
      kind: z.literal('exponential'),
      firstMs: durationSchema.default(1_000),
      factor: z.number().min(1).default(2),
      maxMs: durationSchema.default(300_000),
      jitter: z.number().min(0).max(1).default(0.1),
    }),
    z.strictObject({ kind: z.literal('fixed'), delayMs: durationSchema }),
  ])
  .prefault({ kind: 'exponential' });

const job = z.strictObject({
  name: z.string().min(1).max(255),
  handler: z.string().min(1).max(255),
  schedule,
  params: z.json().default(null),
  misfire: z.enum(misfireStrategies).default('DO_NOTHING'),
  route: z.enum(routeStrategies).default('FIRST'),
  block: z.enum(blockStrategies).default('SERIAL'),
  concurrency: z.int().min(1).default(1),
  timeout: durationSchema.nullable().default(null),
  retries: z.int().min(0).max(1000).default(0),
  priority: z.int().default(0),
  children: z.array(z.string().min(1)).default([]),
  executorGroup: z.string().min(1).max(255).optional(),
  key: z.string().min(1).max(255).nullable().default(null),
  description: z.string().default(''),
  owner: z.string().default(''),
  labels: z.record(z.string(), z.string()).default({}),
  waitMs: durationSchema.nullable().default(300_000),
  retry,
  maxRunning: z.int().min(1).nullable().default(null),
  rate: z
    .strictObject({ limit: z.int().min(1), perMs: durationSchema })
    .nullable()
    .default(null),
  jitterMs: durationSchema.default(0),
  except: z.array(z.string().min(1)).default([]),
  keepRuns: z.strictObject({ days: z.number().min(0).optional(), count: z.int().min(0).optional() }).default({}),
  alerts: z.array(alertRule).default([]),
  start: z.boolean().default(true),
});

const schema = z
  .strictObject({
    database: z.string().min(1).default('sqlite:./horae.db'),
    claim: z.enum(['lock-row', 'buckets']).default('lock-row'),
    zone: zoneSchema.optional(),
    node: z.string().min(1).optional(),
    group: z.string().min(1).max(255).default('default'),
    port: z.int().min(0).max(65_535).optional(),
    console: z.boolean().optional(),
    host: z.string().min(1).optional(),
    token: z.string().min(1).optional(),
    adminToken: z.string().min(1).optional(),
    http: httpOptions.optional(),
    ...nodeOptions,
    queueLimit: z.int().min(0).optional(),
    stopTimeout: durationSchema.default(30_000),
    handlers: z.record(z.string().min(1), z.strictObject(workFields).superRefine(checkWork)).default({}),
    jobs: z.array(job).default([]),
  })
  .superRefine(({ jobs, handlers, group }, context) => {
    const names = new Set<string>();
    for (const [index, { name, handler, children, executorGroup }] of jobs.entries()) {
      const fault = (field: string, message: string) =>
        context.addIssue({ code: 'custom', path: ['jobs', index, field], message });
      if (names.has(name)) fault('name', 'a name of its own');
      names.add(name);
      // Jobs of other groups run on other machines, whose handlers are unknown here.
      const isOwn = (executorGroup ?? group) === group;
      if (isOwn && !Object.hasOwn(handlers, handler))
        fault('handler', `one of the handlers (${Object.keys(handlers).join(', ') || 'there are none'})`);
      const unknown = children.find((child) => !jobs.some((other) => other.name === child));
      if (unknown !== undefined) fault('children', `names of jobs in this file, and "${unknown}" is none`);
    }
  });

/** The content of a file of jobs and handlers, with defaults filled in. */
export type RingConfig = z.output<typeof schema>;

/** The checked configuration; options of the command line come first. */
export async function readRingConfig(path: string, overrides: Partial<RingConfig>): Promise<RingConfig> {
  const config = await readConfig(path, schema);
  const given = Object.entries(overrides).filter(([, value]) => value !== undefined);
  return { ...config, ...Object.fromEntries(given) };
}
