import { resolveZone } from '@horae/clock-store';
import { parseCron } from '@horae/cron-grammar';
import { z } from 'zod';
import { TimeRingError } from '../model/errors.js';
import {
  blockStrategies,
  type JobSettings,
  misfireStrategies,
  retryDefaults,
  routeStrategies,
  type Schedule,
  WAIT_MS,
} from '../model/job.js';
import { alertRulesShape } from './alert-rules.js';
import { intervalProblem } from './interval-timetable.js';

const text = z.string().min(1).max(255);
const count = (least: number) => z.number().int().min(least).max(Number.MAX_SAFE_INTEGER);

const whole = z.number().int().min(0).max(Number.MAX_SAFE_INTEGER);

/** A name for machines: a text that could be mistaken for an id, or contains hidden characters, is invalid. */
const keyShape = z
  .string()
  .min(1)
  .max(255)
  .refine((key) => !/^\d+$/.test(key), 'must not be digits alone, which are read as an id')
  .refine((key) => !/\p{Cc}/u.test(key), 'must have no control characters');

/** The maximum number of children per job. */
export const MAX_CHILDREN = 1_000;
/** Starts are counted per second, for up to an hour. */
const MAX_RATE_MS = 3_600_000;
const MAX_JITTER_MS = 86_400_000;
/** As many as the search for an occurrence accepts. */
const MAX_CALENDARS = 10;
const MAX_LABELS = 100;
export const labelsShape = z
  .record(z.string().min(1).max(255), z.string().max(1_000))
  .refine((labels) => Object.keys(labels).length <= MAX_LABELS, `must be at most ${MAX_LABELS} labels`);

export const retryShape = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('exponential'),
    firstMs: whole.default(retryDefaults.firstMs),
    factor: z.number().min(1).max(1_000).default(retryDefaults.factor),
    maxMs: whole.default(retryDefaults.maxMs),
    jitter: z.number().min(0).max(1).default(retryDefaults.jitter),
  }),
  z.strictObject({ kind: z.literal('fixed'), delayMs: whole }),
]);

export const scheduleShape = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('cron'),
    expression: z.string(),
    dialect: z.enum(['posix', 'vixie', 'quartz']).optional(),
    zone: z.string().optional(),
  }),
  z.strictObject({ kind: z.literal('fix-rate'), everyMs: count(100) }),
  z.strictObject({ kind: z.literal('fix-delay'), everyMs: count(1_000) }),
  z.strictObject({
    kind: z.literal('interval'),
    every: z.strictObject({
      months: count(1).optional(),
      weeks: count(1).optional(),
      days: count(1).optional(),
      hours: count(1).optional(),
      minutes: count(1).optional(),
    }),
    anchor: z.string().max(100),
    zone: z.string().optional(),
  }),
  z.strictObject({ kind: z.literal('once'), at: z.number().int().min(-8.64e15).max(8.64e15) }),
  z.strictObject({ kind: z.literal('none') }),
]);

/** At most `limit` starts in any `perMs`. */
export const rateShape = z.strictObject({
  limit: count(1),
  perMs: count(1_000)
    .max(MAX_RATE_MS)
    .refine((ms) => ms % 1_000 === 0, 'must be whole seconds, in milliseconds'),
});

export const keepRunsShape = z.strictObject({
  days: z.number().positive().max(100_000).optional(),
  count: whole.optional(),
});

export const jobShape = z.strictObject({
  name: text,
  handler: text,
  schedule: z.unknown(),
  params: z.json().default(null),
  misfire: z.enum(misfireStrategies).default('DO_NOTHING'),
  route: z.enum(routeStrategies).default('FIRST'),
  block: z.enum(blockStrategies).default('SERIAL'),
  concurrency: count(1).default(1),
  timeoutMs: count(1).nullable().default(null),
  retries: count(0).max(1_000).default(0),
  priority: z.number().int().default(0),
  children: z.array(count(1)).max(MAX_CHILDREN).default([]),
  executorGroup: text.default('default'),
  key: keyShape.nullable().default(null),
  description: z.string().max(10_000).default(''),
  owner: z.string().max(255).default(''),
  labels: labelsShape.default({}),
  waitMs: whole.nullable().default(WAIT_MS),
  retry: retryShape.default(retryDefaults),
  alerts: alertRulesShape.default([]),
  maxRunning: count(1).nullable().default(null),
  rate: rateShape.nullable().default(null),
  jitterMs: whole.max(MAX_JITTER_MS).default(0),
  except: z.array(text).max(MAX_CALENDARS).default([]),
  keepRuns: keepRunsShape.default({}),
});

/** Checks a job and fills in the defaults. Throws `bad-job` or `bad-schedule`, naming the field. */
export function parseJob(input: unknown): JobSettings {
  const job = read(jobShape, input, 'bad-job', 'job');
  return {
    ...job,
    schedule: parseSchedule(job.schedule),
    children: [...new Set(job.children)],
    except: [...new Set(job.except)],
  };
}

/** The same for a change: only the given fields are checked and kept. */
export function parseChange(change: unknown, before: JobSettings): JobSettings {
  if (typeof change !== 'object' || change === null || Array.isArray(change)) {
    throw new TimeRingError('bad-job', 'A change is an object with fields of a job', { field: 'job', value: change });
  }
  const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
  return parseJob({ ...before, ...given });
}

export function parseSchedule(input: unknown): Schedule {
  const schedule = read(scheduleShape, input, 'bad-schedule', 'schedule');
  if (schedule.kind === 'interval') return parseInterval(schedule);
  if (schedule.kind !== 'cron') return schedule;
  try {
    parseCron(schedule.expression, { dialect: schedule.dialect ?? 'quartz' });
    if (schedule.zone !== undefined) resolveZone(schedule.zone);
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause);
    const field = /zone/.test((cause as { code?: string }).code ?? '') ? 'schedule.zone' : 'schedule.expression';
    throw new TimeRingError(
      'bad-schedule',
      message,
      { field, value: field === 'schedule.zone' ? schedule.zone : schedule.expression, cause },
      { cause },
    );
  }
  return schedule;
}

/** Two units, a bad anchor or zone: 'bad-schedule'. */
function parseInterval(schedule: Schedule & { kind: 'interval' }): Schedule {
  const field = intervalProblem(schedule);
  if (field === null) return schedule;
  const wanted = {
    every: 'must have exactly one of months, weeks, days, hours, minutes',
    anchor: 'must be a local time such as 2026-01-05T09:00, one that the clocks of its zone show',
    zone: 'must be an IANA zone such as Europe/Berlin',
  };
  throw new TimeRingError('bad-schedule', `schedule.${field} ${wanted[field]}`, {
    field: `schedule.${field}`,
    value: schedule[field],
  });
}

function read<Shape extends z.ZodType>(
  shape: Shape,
  input: unknown,
  code: 'bad-job' | 'bad-schedule',
  root: string,
): z.output<Shape> {
  const result = shape.safeParse(input);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const path = issue!.path.map(String);
  const unknown = issue!.code === 'unrecognized_keys' ? issue.keys[0] : undefined;
  const field =
    [...(root === 'schedule' ? [root] : []), ...path, ...(unknown === undefined ? [] : [unknown])].join('.') || root;
  const value = path.reduce<unknown>((inner, key) => (inner as Record<string, unknown> | undefined)?.[key], input);
  throw new TimeRingError(code, `${field}: ${issue!.message}`, { field, value });
}
