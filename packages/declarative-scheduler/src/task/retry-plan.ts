import { badOption, checkNumber, checkOneOf } from './option-error.js';

/** How long a task waits after a failure: always its own delay, or a growing one. */
export type RetryPolicy =
  | { readonly kind: 'fixed' }
  | { readonly kind: 'exponential'; readonly firstMs: number; readonly maxMs: number; readonly factor: number };

/** The settings that decide when, and whether, a failed run is tried again. */
export interface RetryPlan {
  /** The delay of the registration. */
  readonly retryDelayMs: number;
  readonly retry?: RetryPolicy;
  readonly maxRetries?: number;
}

/** The delay after a failed run, which was try number `attempt` of its work; null when no retry is left. */
export function retryDelayAfter({ retryDelayMs, retry, maxRetries }: RetryPlan, attempt: number): number | null {
  if (maxRetries !== undefined && attempt > maxRetries) return null;
  if (retry === undefined || retry.kind === 'fixed') return retryDelayMs;
  return Math.min(retry.maxMs, retry.firstMs * retry.factor ** (attempt - 1));
}

/** Checks a policy that came from outside. */
export function checkRetryPolicy(option: string, value: unknown): RetryPolicy {
  const wanted = "{ kind: 'fixed' } or { kind: 'exponential', firstMs, maxMs, factor }";
  if (typeof value !== 'object' || value === null) throw badOption(option, value, wanted);
  const { kind, ...rest } = value as Record<string, unknown>;
  checkOneOf(`${option}.kind`, kind, ['fixed', 'exponential']);
  const known = kind === 'fixed' ? [] : ['firstMs', 'maxMs', 'factor'];
  const unknown = Object.keys(rest).find((key) => !known.includes(key));
  if (unknown !== undefined) throw badOption(`${option}.${unknown}`, rest[unknown], `left out: a policy is ${wanted}`);
  if (kind === 'fixed') return Object.freeze({ kind });
  const firstMs = checkNumber(`${option}.firstMs`, rest.firstMs, 0);
  const maxMs = checkNumber(`${option}.maxMs`, rest.maxMs, firstMs);
  return Object.freeze({
    kind: 'exponential',
    firstMs,
    maxMs,
    factor: checkNumber(`${option}.factor`, rest.factor, 1),
  });
}
