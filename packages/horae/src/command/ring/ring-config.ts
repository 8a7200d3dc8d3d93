import { tryParseCron } from '@horae/cron-grammar';
import { z } from 'zod';
import { readConfig } from '../config-file.js';
import { durationSchema } from '../duration-text.js';
import { checkWork, workFields } from '../work.js';
import { zoneSchema } from '../zone-schema.js';
import { blockStrategies, misfireStrategies, routeStrategies } from './strategies.js';

const cronSchedule = z
  .strictObject({
    kind: z.literal('cron'),
    expression: z.string(),
    dialect: z.enum(['posix', 'quartz']).default('quartz'),
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
  z.strictObject({ kind: z.literal('fix-rate'), everyMs: durationSchema.refine((ms) => ms >= 1000, 'at least 1s') }),
  z.strictObject({ kind: z.literal('none') }),
]);

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
    host: z.string().min(1).optional(),
    token: z.string().min(1).optional(),
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
      // Jobs of other groups are run by other machines, whose handlers nobody knows here.
      const isOwn = (executorGroup ?? group) === group;
      if (isOwn && !Object.hasOwn(handlers, handler))
        fault('handler', `one of the handlers (${Object.keys(handlers).join(', ') || 'there are none'})`);
      const unknown = children.find((child) => !jobs.some((other) => other.name === child));
      if (unknown !== undefined) fault('children', `names of jobs in this file, and "${unknown}" is none`);
    }
  });

/** What a file of jobs and handlers says, with defaults filled in. */
export type RingConfig = z.output<typeof schema>;

/** The checked configuration; options of the command line come first. */
export async function readRingConfig(path: string, overrides: Partial<RingConfig>): Promise<RingConfig> {
  const config = await readConfig(path, schema);
  const given = Object.entries(overrides).filter(([, value]) => value !== undefined);
  return { ...config, ...Object.fromEntries(given) };
}

/** Shown by the help of `ring serve`. */
export const ringNotes = `
CONFIGURATION (YAML, JSON, or a JavaScript or TypeScript module with this as its default export)

  database: sqlite:./ring.db     # postgres://… and mysql://… for many machines
  claim: lock-row                # or buckets: every node schedules its part; all nodes of a database use the same
  zone: Europe/Berlin            # of expressions without a zone of their own; UTC by default
  port: 7070                     # the admin API and the executors' side; none by default
  token: secret                  # needed by everything but loopback; HORAE_TOKEN too
  group: default                 # the executor group of the handlers below
  handlers:
    mail: { run: ./mail.sh }     # a shell command; HORAE_PARAMS (JSON), HORAE_JOB, HORAE_RUN, HORAE_FIRE, HORAE_SCHEDULE_TIME …
    sweep: { module: ./sweep.js, export: sweep }
  jobs:
    - name: morning mail
      handler: mail
      schedule: { kind: cron, expression: "0 0 9 ? * MON-FRI" }   # Quartz; dialect: posix for five fields
      params: { to: ops }
      retries: 2
      timeout: 30s
      children: [sweep]          # triggered after a success, by name
    - { name: sweep, handler: sweep, schedule: { kind: none } }
    - { name: poll, handler: mail, schedule: { kind: fix-rate, everyMs: 5s }, block: DISCARD }

Jobs are found again by name: new ones are added and started, changed ones updated, others left alone. A job that was stopped by
hand stays stopped.`;
