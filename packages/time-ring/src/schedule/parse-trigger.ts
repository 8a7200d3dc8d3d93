import type { EpochMs } from '@horae/clock-store';
import { localToInstant } from '@horae/cron-grammar';
import { z } from 'zod';
import { TimeRingError } from '../model/errors.js';
import type { TriggerItem } from '../model/trigger.js';
import { labelsShape } from './parse-job.js';

/** A checked trigger item. */
export type ParsedTrigger = {
  readonly [K in Exclude<keyof TriggerItem, 'at' | 'delayMs'>]-?: TriggerItem[K] | undefined;
} & {
  /** Null: at once. */
  readonly dueAt: EpochMs | null;
};

const LATEST = 8.64e15;
const duration = z.number().min(0).max(LATEST);
const text = z.string().min(1).max(255);

const triggerShape = z.strictObject({
  params: z.json().optional(),
  at: z.union([z.number(), z.date(), z.string()]).optional(),
  delayMs: duration.optional(),
  uniqueKey: text.optional(),
  uniqueForMs: duration.optional(),
  priority: z.number().int().optional(),
  address: text.optional(),
  scheduleTime: z.number().int().optional(),
  labels: labelsShape.optional(),
});

/** Checks a trigger item at the time `now`. Throws 'bad-trigger' with the field, the value and the expectation. */
export function parseTrigger(input: unknown, now: EpochMs, zone: string): ParsedTrigger {
  const read = triggerShape.safeParse(input);
  if (!read.success) throw shapeError(read.error, input);
  const { at, delayMs, uniqueKey, uniqueForMs } = read.data;
  if (at !== undefined && delayMs !== undefined) throw badTrigger('delayMs', delayMs, 'must not be given with `at`');
  if (uniqueForMs !== undefined && uniqueKey === undefined) {
    throw badTrigger('uniqueForMs', uniqueForMs, 'needs a uniqueKey that it keeps');
  }
  const dueAt = at === undefined ? now + Math.ceil(delayMs ?? 0) : instantOf(at, zone);
  if (dueAt > LATEST) throw badTrigger('delayMs', delayMs, 'leads beyond the last day of the calendar');
  // Field by field: a caller that triggers thousands at once waits for this.
  const { params, priority, address, scheduleTime, labels } = read.data;
  return { params, uniqueKey, uniqueForMs, priority, address, scheduleTime, labels, dueAt: dueAt > now ? dueAt : null };
}

function instantOf(at: EpochMs | Date | string, zone: string): EpochMs {
  const instant = typeof at === 'string' ? instantOfText(at, zone) : Math.ceil(at.valueOf());
  if (instant >= 0 && instant <= LATEST) return instant;
  throw badTrigger(
    'at',
    at,
    'must be an instant from 1970 on: milliseconds, a Date, or ISO 8601 such as 2026-01-31T09:00',
  );
}

const ISO = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?)?(Z|[+-]\d{2}(?::?\d{2})?)?$/;

/** Parses ISO 8601; without an offset it is local time in the ring's zone. NaN for an invalid text. */
function instantOfText(text: string, zone: string): number {
  const match = ISO.exec(text.trim());
  if (match === null) return Number.NaN;
  const [whole, offset] = match;
  if (offset === undefined) return localToInstant(Date.parse(whole.includes('T') ? `${whole}Z` : whole), zone);
  const minutes = /^[+-]\d{2}$/.test(offset) ? ':00' : '';
  return Date.parse(`${whole.includes('T') ? whole : whole.replace(offset, `T00:00${offset}`)}${minutes}`);
}

function shapeError(error: z.ZodError, input: unknown): TimeRingError {
  const [issue] = error.issues;
  const unknown = issue!.code === 'unrecognized_keys' ? [issue.keys[0]!] : [];
  const path = [...issue!.path.map(String), ...unknown];
  const value = path.reduce<unknown>((inner, key) => (inner as Record<string, unknown> | undefined)?.[key], input);
  return badTrigger(path.join('.') || 'options', value, unknown.length > 0 ? 'is not known' : issue!.message);
}

/** The refusal of a trigger item. */
export function badTrigger(field: string, value: unknown, problem: string): TimeRingError {
  return new TimeRingError('bad-trigger', `${field}: ${problem}`, { field, value });
}
