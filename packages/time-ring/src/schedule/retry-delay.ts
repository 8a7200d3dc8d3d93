import type { Random } from '@horae/clock-store';
import type { ResolvedRetryPolicy } from '../model/job.js';

/** How long after the end of failed attempt number `attempt` the next one is due, in whole milliseconds. */
export function retryDelayMs(policy: ResolvedRetryPolicy, attempt: number, random: Pick<Random, 'uint32'>): number {
  if (policy.kind === 'fixed') return policy.delayMs;
  const { firstMs, factor, maxMs, jitter } = policy;
  const delayMs = Math.min(firstMs * factor ** (attempt - 1), maxMs);
  if (jitter === 0) return Math.round(delayMs);
  const spread = 1 - jitter + 2 * jitter * (random.uint32() / 2 ** 32);
  return Math.round(delayMs * spread);
}
