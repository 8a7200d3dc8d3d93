import { durationFault } from '../engine/action-kind.js';
import { faultPath } from '../interchange/distribution.js';
import type { EpochInput } from '../interchange/interchange.js';
import { InvalidDuration, quote } from '../interchange/sim-errors.js';

/**
 * Throws `InvalidDuration` for the first duration of a definition or an action that cannot be used. A single run reports them as
 * rejections, but the figures of many runs show no rejections, only that nothing has started. Values that are not an input at all are left
 * to the runs.
 */
export function checkDurations({ action_defs, actions_submitted }: EpochInput): void {
  for (const [verb, def] of entriesOf(action_defs))
    check(`action_defs.${verb}.base_duration_min`, ofField(def, 'base_duration_min'));
  for (const [at, action] of entriesOf(actions_submitted)) {
    const duration = ofField(action, 'duration_min');
    if (duration !== undefined) check(`actions_submitted[${at}].duration_min`, duration);
  }
}

function check(path: string, duration: unknown): void {
  const fault = durationFault(duration);
  if (fault === null) return;
  const field = faultPath(path, fault);
  const message = `InvalidDuration: ${field} is ${quote(fault.value)}; give ${fault.expected}`;
  throw new InvalidDuration(message, { field, value: fault.value });
}

function entriesOf(value: unknown): [string, unknown][] {
  return typeof value === 'object' && value !== null ? Object.entries(value) : [];
}

function ofField(value: unknown, field: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[field] : undefined;
}
