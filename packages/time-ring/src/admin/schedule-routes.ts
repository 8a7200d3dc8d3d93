import { type Calendar, type CronLocale, describeCron, parseCalendar, tryParseCron } from '@horae/cron-grammar';
import { z } from 'zod';
import { findGrounds } from '../engine/ring-grounds.js';
import { RequestProblem } from '../http/read-body.js';
import { badOption, TimeRingError } from '../model/errors.js';
import type { TimeRing } from '../model/interface.js';
import type { Schedule } from '../model/job.js';
import { parseSchedule } from '../schedule/parse-job.js';
import type { Timetable } from '../schedule/times.js';
import { timetableOf } from '../schedule/timetable.js';
import { type AdminRoute, adminRoute, json } from './admin-route.js';

const query = z.strictObject({
  schedule: z.string().max(4_000),
  from: z.number().int().min(-8.64e15).max(8.64e15).optional(),
  count: z.number().int().min(1).max(100).optional(),
  locale: z.enum(['en', 'de', 'zh']).optional(),
  except: z.string().max(4_000).optional(),
});

const preview = z.object({
  ok: z.boolean(),
  words: z.string().nullable(),
  zone: z.string(),
  next: z.array(z.number().int()),
  fault: z
    .object({
      message: z.string(),
      column: z.number().nullable(),
      length: z.number(),
      suggestion: z.string().nullable(),
    })
    .nullable(),
});

/** Explains a schedule before a job uses it. */
export function scheduleRoutes(ring: TimeRing): AdminRoute[] {
  return [
    adminRoute({
      method: 'GET',
      path: '/admin/schedule',
      summary: 'What a schedule (as JSON) means: in words, its next times, or what is wrong with it',
      query,
      answers: { 200: { description: 'Also for a schedule that is wrong', schema: preview } },
      async answer({ query: { schedule, from, count = 10, locale = 'en', except = '[]' } }) {
        const { zone, clock } = findGrounds(ring) ?? { zone: 'UTC', clock: null };
        const after = from ?? clock?.now() ?? 0;
        const calendars = await calendarsNamed(ring, readNames(except), zone);
        return json(previewOf(readJson('schedule', schedule), { zone, after, count, locale, calendars }));
      },
    }),
  ];
}

function readJson(path: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new RequestProblem(400, 'bad-request', `${path}: must be JSON`, [{ path, message: 'must be JSON' }]);
  }
}

function readNames(text: string): string[] {
  const names = z.array(z.string()).max(100).safeParse(readJson('except', text));
  if (names.success) return names.data;
  throw badOption('except', text, 'a JSON array of names of calendars');
}

async function calendarsNamed(ring: TimeRing, names: readonly string[], zone: string): Promise<readonly Calendar[]> {
  const calendars: Calendar[] = [];
  for (const name of names) {
    const found = await ring.calendars.get(name);
    if (found === null)
      throw new TimeRingError('unknown-calendar', `There is no calendar "${name}"`, { field: 'except', value: name });
    const { name: _, ...definition } = found;
    calendars.push(parseCalendar({ ...definition, zone: definition.zone ?? zone }));
  }
  return calendars;
}

interface PreviewOptions {
  readonly zone: string;
  readonly after: number;
  readonly count: number;
  readonly locale: CronLocale;
  readonly calendars: readonly Calendar[];
}

function previewOf(
  given: unknown,
  { zone, after, count, locale, calendars }: PreviewOptions,
): z.output<typeof preview> {
  const where = (given as { zone?: string } | null)?.zone ?? zone;
  const refused = (fault: NonNullable<z.output<typeof preview>['fault']>) => ({
    ...{ ok: false, words: null, zone: where, next: [], fault },
  });
  const fault = cronFault(given);
  if (fault !== null) return refused(fault);
  try {
    const schedule = parseSchedule(given);
    return {
      ok: true,
      words: wordsOf(schedule, locale),
      zone: where,
      next: nextTimes(timetableOf(schedule, zone, after, calendars), after, count),
      fault: null,
    };
  } catch (error) {
    if (!(error instanceof TimeRingError)) throw error;
    return refused({ message: error.message, column: null, length: 0, suggestion: null });
  }
}

/** The position of an error in a cron expression, and what may have been meant. */
function cronFault(given: unknown): NonNullable<z.output<typeof preview>['fault']> | null {
  const { kind, expression, dialect = 'quartz' } = (given ?? {}) as Partial<Extract<Schedule, { kind: 'cron' }>>;
  if (kind !== 'cron' || typeof expression !== 'string') return null;
  if (dialect !== 'quartz' && dialect !== 'posix' && dialect !== 'vixie') return null;
  const parsed = tryParseCron(expression, { dialect });
  if (parsed.ok) return null;
  const { reason, column, length, suggestion } = parsed.error.details;
  return { message: reason, column, length: Math.max(1, length), suggestion: suggestion ?? null };
}

function wordsOf(schedule: Schedule, locale: CronLocale): string | null {
  if (schedule.kind !== 'cron') return null;
  const parsed = tryParseCron(schedule.expression, { dialect: schedule.dialect ?? 'quartz' });
  return parsed.ok ? describeCron(parsed.value, { locale }) : null;
}

function nextTimes(timetable: Timetable, after: number, count: number): number[] {
  const times: number[] = [];
  for (let at = timetable.next(after); at !== null && times.length < count; at = timetable.next(at)) times.push(at);
  return times;
}
