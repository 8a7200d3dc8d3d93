import type { FollowUp, HookName } from '../interchange/hooks.js';
import { InvalidHookResult, quote } from '../interchange/sim-errors.js';

/** The checked result of a hook. Throws `InvalidHookResult`, which names the hook and the action it was called for. */
export function checkedFollowUps(hook: HookName, action_id: string, value: unknown): readonly FollowUp[] | undefined {
  if (value === undefined) return undefined;
  const problem = Array.isArray(value)
    ? value.map(problemOf).find((found) => found !== null)
    : `it returned ${quote(value)}; return a list of follow-ups or undefined`;
  if (problem === undefined) return value as readonly FollowUp[];
  const message = `InvalidHookResult: ${hook} for action ${quote(action_id)}: ${problem}`;
  throw new InvalidHookResult(message, { hook, action_id, value });
}

function problemOf(value: unknown): string | null {
  if (!isRecord(value)) return `a follow-up is ${quote(value)}; give an object with a type`;
  const { type, after_min = 0, meta = {}, action, target, reason = '' } = value;
  if (!Number.isSafeInteger(after_min) || (after_min as number) < 0)
    return `after_min is ${quote(after_min)}; give a whole number of minutes >= 0`;
  switch (type) {
    case 'visibility_change':
      return isRecord(meta) ? null : `meta is ${quote(meta)}; give an object`;
    case 'submit':
      return isRecord(action) && typeof action.id === 'string'
        ? null
        : 'submit needs an action with an id that is a text';
    case 'cancel':
      return typeof target === 'string' && typeof reason === 'string' ? null : 'cancel needs a target that is a text';
    default:
      return `type is ${quote(type)}; give visibility_change, submit or cancel`;
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
