import type { z } from 'zod';
import { RequestProblem } from '../http/read-body.js';
import { TimeRingError, type TimeRingErrorCode } from '../model/errors.js';

/** An error in the form that the API returns. */
export interface AdminError {
  readonly status: number;
  readonly error: {
    readonly code: string;
    readonly message: string;
    readonly issues?: readonly { readonly path: string; readonly message: string }[];
  };
}

const statuses: Partial<Record<TimeRingErrorCode, number>> = {
  'unknown-job': 404,
  'unknown-run': 404,
  'unknown-flow': 404,
  'child-cycle': 409,
  'key-taken': 409,
  'unknown-calendar': 404,
  'calendar-in-use': 409,
  'unknown-group': 404,
  'group-in-use': 409,
  'not-schedulable': 409,
  'kill-refused': 409,
  'not-retryable': 409,
  'wait-timeout': 408,
  stopped: 503,
};

/** The API's answer to an error; null when the caller did not cause it, so that it only goes to the log. */
export function adminError(error: unknown): AdminError | null {
  if (error instanceof RequestProblem) {
    const { status, code, message, issues } = error;
    return { status, error: issues === undefined ? { code, message } : { code, message, issues } };
  }
  if (!(error instanceof TimeRingError)) return null;
  const { code, message, details } = error;
  const status = statuses[code] ?? 400;
  // The path already names the subject, so no field is added.
  const hasPlace = details.field !== undefined && (status === 400 || details.field !== 'id');
  const issues = hasPlace ? [{ path: details.field!, message }] : undefined;
  return { status, error: issues === undefined ? { code, message } : { code, message, issues } };
}

/** The issues that a schema found, each with its path. */
export function shapeError(error: z.ZodError, where: 'body' | 'query'): RequestProblem {
  const issues = error.issues.flatMap((issue) => {
    const path = issue.path.map(String);
    if (issue.code !== 'unrecognized_keys') return [{ path: path.join('.'), message: issue.message }];
    return issue.keys.map((key) => ({ path: [...path, key].join('.'), message: 'is not known' }));
  });
  const [first] = issues;
  return new RequestProblem(400, 'bad-request', `${first!.path || where}: ${first!.message}`, issues);
}
