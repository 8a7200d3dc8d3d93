import type { CronDialect, CronExpression } from '@horae/cron-grammar';
import { DURATION_FORMS, readDuration } from './duration.js';
import { badOption } from './option-error.js';
import { parseExpression } from './parse-expression.js';
import type { Callback, DeclaredTask } from './registration.js';
import {
  InvalidRegistrationError,
  NegativeRetryDelayError,
  RegistrationShapeError,
  RegistrationsNotArrayError,
  ScheduleDuplicateTaskError,
} from './registration-errors.js';
import { checkSettingNames, checkTaskSettings } from './task-settings.js';
import { isWhollyExcluded, timetableOf } from './timetable.js';

/** The defaults for tasks without settings of their own. */
export interface TaskDefaults {
  readonly zone: string;
  /** Undefined when the scheduler was given none: strict POSIX. */
  readonly dialect: CronDialect | undefined;
  readonly timeoutMs: number | null;
}

const SHAPE = 'Invalid registration shape: expected [string, string, function, Duration]';

/**
 * Checks registrations in their order; the first fault of the first faulty one is thrown. Within one: shape, name, callback,
 * duplicate, settings, cron expression, retry delay.
 */
export function parseRegistrations(
  registrations: unknown,
  defaults: TaskDefaults,
  tasks: unknown = {},
): readonly DeclaredTask[] {
  if (!Array.isArray(registrations)) throw new RegistrationsNotArrayError();
  if (typeof tasks !== 'object' || tasks === null || Array.isArray(tasks)) {
    throw badOption('tasks', tasks, 'an object of settings by task name');
  }
  const names = new Set<string>();
  const parser = createRegistrationParser(defaults);
  const declared = Array.from(registrations, (received: unknown, index) => {
    const task = parser(received, index, names, (name) =>
      Object.hasOwn(tasks, name) ? (tasks as Record<string, unknown>)[name] : undefined,
    );
    names.add(task.name);
    return task;
  });
  checkSettingNames(tasks, names);
  return declared;
}

type RegistrationParser = (
  received: unknown,
  index: number,
  names: { has(name: string): boolean },
  settingsOf: (name: string) => unknown,
) => DeclaredTask;

/** Checks one registration after the other. Thousands of tasks share a handful of expressions, so each text is parsed once. */
export function createRegistrationParser(defaults: TaskDefaults): RegistrationParser {
  const expressions = new Map<string, CronExpression>();
  return (received, registrationIndex, names, settingsOf) => {
    const { name, cron, callback, retryDelayMs } = checkShape(received, registrationIndex);
    if (names.has(name)) {
      const message = `Task with name "${name}" is already scheduled`;
      throw new ScheduleDuplicateTaskError(message, { taskName: name, registrationIndex });
    }
    const { timeoutMs = defaults.timeoutMs, ...settings } = checkTaskSettings(`tasks.${name}`, settingsOf(name));
    const dialect = settings.dialect ?? defaults.dialect;
    const key = `${dialect} ${cron}`;
    let expression = expressions.get(key);
    if (expression === undefined) {
      expression = parseExpression(cron, dialect ?? 'posix', { registrationIndex, taskName: name });
      expressions.set(key, expression);
    }
    if (retryDelayMs < 0) {
      const message = 'Retry delay must be non-negative';
      throw new NegativeRetryDelayError(message, { retryDelayMs, registrationIndex, taskName: name });
    }
    const { zone = defaults.zone, retry, maxRetries, jitterMs = 0 } = settings;
    const timetable = timetableOf(expression, zone, settings.except);
    if (isWhollyExcluded(timetable)) {
      const wanted = `calendars that leave an occurrence of "${cron}"`;
      throw badOption(`tasks.${name}.except`, settings.except, wanted);
    }
    return {
      name,
      cron,
      timetable,
      callback,
      retryDelayMs,
      timeoutMs,
      jitterMs,
      ...(retry === undefined ? {} : { retry }),
      ...(maxRetries === undefined ? {} : { maxRetries }),
      given: dialect === undefined ? settings : { ...settings, dialect },
    };
  };
}

/** The four parts of a registration with the right types, or the error that names the first wrong one. */
function checkShape(received: unknown, registrationIndex: number) {
  const fail = (field: string, value: unknown, expected: string): never => {
    throw new RegistrationShapeError(SHAPE, { registrationIndex, received, field, value, expected });
  };
  if (!Array.isArray(received)) return fail('registration', received, 'an array');
  if (received.length !== 4) return fail('registration', received, `4 elements, got ${received.length}`);
  const [name, cron, callback, delay] = received as readonly unknown[];
  if (typeof name !== 'string') return fail('name', name, 'a string');
  if (typeof cron !== 'string') return fail('cron', cron, 'a string');
  let retryDelayMs: number;
  try {
    retryDelayMs = readDuration(delay);
  } catch {
    return fail('retryDelay', delay, DURATION_FORMS);
  }
  if (name === '') {
    const reason = 'must not be empty';
    const facts = {
      registrationIndex,
      received,
      field: 'name',
      value: name,
      expected: 'a text of at least 1 character',
    };
    throw new InvalidRegistrationError(`Invalid registration ${registrationIndex}: name ${reason}`, {
      ...facts,
      reason,
    });
  }
  if (typeof callback !== 'function') return fail('callback', callback, 'a function');
  return { name, cron, callback: callback as Callback, retryDelayMs };
}
