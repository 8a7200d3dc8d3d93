import { z } from 'zod';
import { type AlertCause, type AlertRule, alertCauses } from '../model/alert.js';

const MAX_RULES = 100;

/** A name that is the same in every database and can be part of a key. */
export const channelNameShape = z
  .string()
  .min(1)
  .max(100)
  .refine((name) => name === name.trim() && !/\p{Cc}/u.test(name), 'must have no control characters or outer spaces');

export const alertRuleShape = z.strictObject({
  on: z.enum(alertCauses),
  afterMs: z.number().int().min(0).max(Number.MAX_SAFE_INTEGER).optional(),
  channel: channelNameShape,
});

export const alertRulesShape = z.array(alertRuleShape).max(MAX_RULES);

const none: readonly AlertRule[] = [];

/** All rules together, the most specific first; of several with the same cause and channel the first applies. */
export function mergeRules(...levels: readonly (readonly AlertRule[])[]): readonly AlertRule[] {
  const given = levels.filter((rules) => rules.length > 0);
  if (given.length === 0) return none;
  const byTarget = new Map<string, AlertRule>();
  for (const rule of given.flat()) {
    const target = `${rule.on} ${rule.channel}`;
    if (!byTarget.has(target)) byTarget.set(target, rule);
  }
  return [...byTarget.values()];
}

/** How long 'late' and 'run-waiting' wait unless their rule says otherwise. */
export function afterMsOf({ on, afterMs }: AlertRule, { misfireMs }: { readonly misfireMs: number }): number {
  return afterMs ?? (on === 'late' ? misfireMs : WAITING_MS);
}

const WAITING_MS = 60_000;

/** The channels that rules send a cause to. */
export function channelsFor(rules: readonly AlertRule[], on: AlertCause): readonly string[] {
  return rules.filter((rule) => rule.on === on).map(({ channel }) => channel);
}
