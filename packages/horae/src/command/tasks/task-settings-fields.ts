import { type Calendar, type CalendarDefinition, type CronDialect, parseCalendar } from '@horae/cron-grammar';
import type { TaskSettings } from '@horae/declarative-scheduler';
import { z } from 'zod';
import { durationSchema } from '../arguments/duration-schema.js';
import { zoneSchema } from '../arguments/zone-schema.js';

const MAX_CALENDARS = 10;

/** How cron expressions are read. */
export const dialectSchema = z.enum(['posix', 'vixie', 'quartz']);

const calendar = z.unknown().transform((definition, context): Calendar => {
  try {
    return parseCalendar(definition as CalendarDefinition);
  } catch (error) {
    context.addIssue({ code: 'custom', message: `a calendar (${(error as Error).message})` });
    return z.NEVER;
  }
});

const backoff = z
  .strictObject({ first: durationSchema, max: durationSchema, factor: z.number().min(1).default(2) })
  .refine(({ first, max }) => max >= first, { path: ['max'], message: 'a duration that is not shorter than "first"' });

/** Fields that may differ from task to task in a file, besides its cron expression, its retry delay and its work. */
export const settingFields = {
  dialect: dialectSchema.optional(),
  zone: zoneSchema.optional(),
  timeout: durationSchema.refine((ms) => ms >= 1, { message: 'a duration of at least 1 ms' }).optional(),
  backoff: backoff.optional(),
  maxRetries: z.int().min(0).optional(),
  jitter: durationSchema.optional(),
  except: z.array(calendar).max(MAX_CALENDARS).optional(),
};

/** The fields of `settingFields` as a value. */
export interface SettingFields {
  readonly dialect?: CronDialect | undefined;
  readonly zone?: string | undefined;
  readonly timeout?: number | undefined;
  readonly backoff?: { readonly first: number; readonly max: number; readonly factor: number } | undefined;
  readonly maxRetries?: number | undefined;
  readonly jitter?: number | undefined;
  readonly except?: readonly Calendar[] | undefined;
}

/** The scheduler's settings for a task of a file. */
export function taskSettings({ backoff, jitter, ...rest }: SettingFields): TaskSettings {
  const { dialect, zone, timeout, maxRetries, except } = rest;
  return {
    ...(dialect === undefined ? {} : { dialect }),
    ...(zone === undefined ? {} : { zone }),
    ...(timeout === undefined ? {} : { timeout }),
    ...(maxRetries === undefined ? {} : { maxRetries }),
    ...(jitter === undefined ? {} : { jitterMs: jitter }),
    ...(except === undefined ? {} : { except }),
    ...(backoff === undefined
      ? {}
      : { retry: { kind: 'exponential', firstMs: backoff.first, maxMs: backoff.max, factor: backoff.factor } }),
  };
}
