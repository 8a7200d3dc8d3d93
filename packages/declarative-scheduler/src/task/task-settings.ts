import { resolveZone } from '@horae/clock-store';
import { type Calendar, type CronDialect, matches, parseCron } from '@horae/cron-grammar';
import { DURATION_FORMS, type DurationInput, readDuration } from './duration.js';
import { badOption, checkNumber, checkOneOf, checkWhole, SchedulerOptionError } from './option-error.js';
import { checkRetryPolicy, type RetryPolicy } from './retry-plan.js';

/** Settings that may differ from task to task; a registration stays a 4-tuple. */
export interface TaskSettings {
  /** The zone in which the task's cron expression is read. */
  readonly zone?: string;
  /** A run over this limit is aborted and counts as failed. */
  readonly timeout?: DurationInput;
  /** How the delay after a failure grows; the registration's delay by default. */
  readonly retry?: RetryPolicy;
  /** Retries of one occurrence; without it a failed task is tried again until it succeeds or is due again. */
  readonly maxRetries?: number;
  /** A start by cron comes up to this much late, drawn anew for each occurrence. */
  readonly jitterMs?: number;
  /** Calendars of cron-grammar, at most 10: an occurrence that one of them excludes does not count and is not caught up either. */
  readonly except?: readonly Calendar[];
  readonly dialect?: CronDialect;
}

/** Settings by task name. */
export type TaskSettingsByName = Readonly<Record<string, TaskSettings>>;

export const DIALECTS: readonly CronDialect[] = ['posix', 'vixie', 'quartz'];

/** Checked settings: those that were passed, and the time limit in milliseconds. */
export interface CheckedSettings extends Omit<TaskSettings, 'timeout'> {
  readonly timeoutMs?: number;
}

/** One check per key: the value to keep. */
const checks: Readonly<Record<keyof TaskSettings, (option: string, value: unknown) => unknown>> = {
  zone: checkZone,
  timeout: (option, value) => checkDuration(option, value, 1),
  retry: checkRetryPolicy,
  maxRetries: (option, value) => checkWhole(option, value, 0),
  jitterMs: (option, value) => checkNumber(option, value, 0),
  except: checkExcept,
  dialect: (option, value) => checkOneOf(option, value, DIALECTS),
};

/** Checks the settings of one task; `option` names the place in error messages. Undefined values count as not given. */
export function checkTaskSettings(option: string, value: unknown): CheckedSettings {
  if (value === undefined) return {};
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw badOption(option, value, 'an object of settings');
  }
  const checked: Record<string, unknown> = {};
  for (const [key, given] of Object.entries(value)) {
    const check = checks[key as keyof TaskSettings];
    if (check === undefined || !Object.hasOwn(checks, key)) {
      const known = Object.keys(checks).join(', ');
      throw new SchedulerOptionError(`${option}.${key} is no setting of a task: use ${known}`, {
        option: `${option}.${key}`,
        value: given,
      });
    }
    if (given !== undefined) checked[key === 'timeout' ? 'timeoutMs' : key] = check(`${option}.${key}`, given);
  }
  return checked;
}

/** Refuses settings for tasks that are not registered. `tasks` is an object. */
export function checkSettingNames(tasks: object, names: ReadonlySet<string>): void {
  for (const name of Object.keys(tasks)) {
    if (names.has(name)) continue;
    throw new SchedulerOptionError(`tasks has settings for ${JSON.stringify(name)}, which is not registered`, {
      option: `tasks.${name}`,
      value: (tasks as Record<string, unknown>)[name],
    });
  }
}

/** The milliseconds of a duration of at least `leastMs`. */
export function checkDuration(option: string, value: unknown, leastMs: number): number {
  let ms: number;
  try {
    ms = readDuration(value);
  } catch (error) {
    throw badOption(option, value, DURATION_FORMS, error);
  }
  return checkNumber(option, ms, leastMs);
}

function checkZone(option: string, value: unknown): string {
  try {
    resolveZone(value as string);
    return value as string;
  } catch (error) {
    throw badOption(option, value, "an IANA zone such as 'Europe/Berlin'", error);
  }
}

const everyMinute = parseCron('* * * * *');

function checkExcept(option: string, value: unknown): readonly Calendar[] {
  try {
    matches(everyMinute, 0, 'UTC', { except: value as readonly Calendar[] });
    return Object.freeze([...(value as readonly Calendar[])]);
  } catch (error) {
    throw badOption(option, value, 'at most 10 calendars of parseCalendar or parseIcs', error);
  }
}
