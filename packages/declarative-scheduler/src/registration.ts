import { type DurationLike, toDurationMs } from '@horae/clock-store';
import { type CronExpression, InvalidCronExpressionError, neverFires, tryParseCron } from '@horae/cron-grammar';
import {
  CronExpressionInvalidError,
  InvalidRegistrationError,
  NegativeRetryDelayError,
  RegistrationShapeError,
  RegistrationsNotArrayError,
  ScheduleDuplicateTaskError,
} from './registration-errors.js';
import type { RunReason } from './run-reason.js';

/** What a callback is told about its run. A function that takes no argument fits as well. */
export interface RunContext {
  /** Aborted when the run exceeds the task's time limit or `stop` reaches its deadline. */
  readonly signal: AbortSignal;
  readonly taskName: string;
  /** 1 for the first try, one more for each retry of the same work. */
  readonly attempt: number;
  /** The instant the run became due: the latest occurrence, or the end of the retry delay. */
  readonly dueAt: number;
  readonly reason: RunReason;
}

/** The work of a task. Resolving is success; throwing or rejecting is failure. */
export type Callback = (context: RunContext) => unknown;

/** Name, cron expression in strict POSIX, callback, retry delay. */
export type Registration = readonly [name: string, cron: string, callback: Callback, retryDelay: DurationLike];

/** A registration that has been checked. */
export interface DeclaredTask {
  readonly name: string;
  readonly cron: string;
  readonly expression: CronExpression;
  readonly callback: Callback;
  readonly retryDelayMs: number;
}

const SHAPE = 'Invalid registration shape: expected [string, string, function, Duration]';

/**
 * Checks registrations in their order; the first fault of the first faulty one is thrown. Within one: shape, name, callback,
 * duplicate, cron expression, retry delay.
 */
export function parseRegistrations(registrations: unknown): DeclaredTask[] {
  if (!Array.isArray(registrations)) throw new RegistrationsNotArrayError();
  const names = new Set<string>();
  // Thousands of tasks share a handful of expressions.
  const expressions = new Map<string, CronExpression>();
  return Array.from(registrations, (received: unknown, index) => {
    const task = parseRegistration(received, index, names, expressions);
    names.add(task.name);
    return task;
  });
}

function parseRegistration(
  received: unknown,
  registrationIndex: number,
  names: ReadonlySet<string>,
  expressions: Map<string, CronExpression>,
): DeclaredTask {
  const { name, cron, callback, retryDelayMs } = checkShape(received, registrationIndex);
  if (name === '') {
    const reason = 'must not be empty';
    throw new InvalidRegistrationError(`Invalid registration ${registrationIndex}: name ${reason}`, {
      registrationIndex,
      received,
      field: 'name',
      value: name,
      reason,
    });
  }
  if (typeof callback !== 'function') {
    throw new RegistrationShapeError(SHAPE, { registrationIndex, received, field: 'callback', taskName: name });
  }
  if (names.has(name)) {
    throw new ScheduleDuplicateTaskError(`Task with name "${name}" is already scheduled`, {
      taskName: name,
      registrationIndex,
    });
  }
  let expression = expressions.get(cron);
  if (expression === undefined) {
    expression = parseExpression(cron, registrationIndex, name);
    expressions.set(cron, expression);
  }
  if (retryDelayMs < 0) {
    throw new NegativeRetryDelayError('Retry delay must be non-negative', {
      retryDelayMs,
      registrationIndex,
      taskName: name,
    });
  }
  return { name, cron, expression, callback: callback as Callback, retryDelayMs };
}

function checkShape(received: unknown, registrationIndex: number) {
  const fail = (field: string): never => {
    throw new RegistrationShapeError(SHAPE, { registrationIndex, received, field });
  };
  if (!Array.isArray(received) || received.length !== 4) return fail('registration');
  const [name, cron, callback, delay] = received as readonly unknown[];
  if (typeof name !== 'string') return fail('name');
  if (typeof cron !== 'string') return fail('cron');
  let retryDelayMs: number;
  try {
    retryDelayMs = toDurationMs(delay as DurationLike);
  } catch {
    return fail('retryDelay');
  }
  return { name, cron, callback, retryDelayMs };
}

function parseExpression(text: string, registrationIndex: number, taskName: string): CronExpression {
  const parsed = tryParseCron(text);
  if (parsed.ok && !neverFires(parsed.value)) return parsed.value;
  const cause = parsed.ok ? neverFiresError(text) : parsed.error;
  const { expression, field, reason } = cause.details;
  const details = { expression, field, reason, cause, registrationIndex, taskName };
  throw new CronExpressionInvalidError(cause.message, details, { cause });
}

function neverFiresError(expression: string): InvalidCronExpressionError {
  const reason = 'No valid next execution time found for cron expression';
  return new InvalidCronExpressionError({
    expression,
    field: 'expression',
    reason,
    column: 1,
    length: expression.length,
  });
}
