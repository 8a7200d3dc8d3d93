import { z } from 'zod';
import { type AlertChannel, type AlertRule, webhookFormats } from '../../model/alert.js';
import { badOption } from '../../model/errors.js';
import { alertRulesShape, channelNameShape } from '../../schedule/alert-rules.js';

const text = z.string().min(1).max(10_000);

const channelShape = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('webhook'),
    url: z.url({ protocol: /^https?$/, error: 'must be an http or https URL' }),
    secret: text.optional(),
    format: z.enum(webhookFormats).optional(),
  }),
  z.strictObject({
    kind: z.literal('email'),
    smtp: z.union([text, z.looseObject({})]),
    to: z.union([text, z.array(text).min(1)]),
    from: text.optional(),
  }),
  z.strictObject({
    kind: z.literal('function'),
    send: z.custom((value) => typeof value === 'function', 'must be a function'),
  }),
]);

/** Checks the rules of the options. Throws 'bad-option', naming the field. */
export function readAlertRules(rules: unknown): readonly AlertRule[] {
  return checked(alertRulesShape, 'alerts', rules ?? []) as readonly AlertRule[];
}

/** Checks the channels of the options. Throws 'bad-option', naming the field. */
export function readChannels(channels: unknown): Readonly<Record<string, AlertChannel>> {
  checked(z.record(channelNameShape, channelShape), 'channels', channels ?? {});
  return (channels ?? {}) as Readonly<Record<string, AlertChannel>>;
}

function checked(shape: z.ZodType, field: string, value: unknown): unknown {
  const result = shape.safeParse(value);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const path = [field, ...issue!.path.map(String)];
  const at = issue!.path.reduce<unknown>((inner, key) => (inner as Record<PropertyKey, unknown> | null)?.[key], value);
  throw badOption(path.join('.'), typeof at === 'object' ? JSON.stringify(at) : at, `right: ${issue!.message}`);
}
