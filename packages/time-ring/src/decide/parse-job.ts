import { resolveZone } from '@horae/clock-store';
import { parseCron } from '@horae/cron-grammar';
import { z } from 'zod';
import { blockStrategies, type JobSettings, misfireStrategies, routeStrategies, type Schedule } from '../job.js';
import { TimeRingError } from '../time-ring-error.js';

const text = z.string().min(1).max(255);
const count = (least: number) => z.number().int().min(least).max(Number.MAX_SAFE_INTEGER);

export const scheduleShape = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('cron'),
    expression: z.string(),
    dialect: z.enum(['posix', 'quartz']).optional(),
    zone: z.string().optional(),
  }),
  z.strictObject({ kind: z.literal('fix-rate'), everyMs: count(1_000) }),
  z.strictObject({ kind: z.literal('none') }),
]);

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
  children: z.array(count(1)).max(1_000).default([]),
  executorGroup: text.default('default'),
});

/** Checks a job as a person wrote it and fills in the defaults. Throws `bad-job` or `bad-schedule`, naming the field. */
export function parseJob(input: unknown): JobSettings {
  const job = read(jobShape, input, 'bad-job', 'job');
  return { ...job, schedule: parseSchedule(job.schedule), children: [...new Set(job.children)] };
}

/** The same for a change: only what is given is checked and kept. */
export function parseChange(change: unknown, before: JobSettings): JobSettings {
  if (typeof change !== 'object' || change === null || Array.isArray(change)) {
    throw new TimeRingError('bad-job', 'A change is an object with fields of a job', { field: 'job', value: change });
  }
  const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
  return parseJob({ ...before, ...given });
}

export function parseSchedule(input: unknown): Schedule {
  const schedule = read(scheduleShape, input, 'bad-schedule', 'schedule');
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
