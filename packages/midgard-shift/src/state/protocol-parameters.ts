import { z } from 'zod';
import { checkedEdition, EDITIONS, type Edition } from './edition.js';
import { MidgardInputError } from './midgard-input-error.js';

/** The protocol's constants. No amount or duration has a default: the values published so far are placeholders. */
export interface ProtocolParameters {
  /** Length of a shift; at least 1. */
  readonly shiftDurationMs: number;
  /** How long after the end of its registration's window an operator may be activated. */
  readonly registrationDurationMs: number;
  /** The bond that a registration has to lock: exactly this in edition `2025`, at least this in `2026-05`. */
  readonly requiredBond: bigint;
  /** Which version of the scripts decides. Default `2025`. */
  readonly edition?: Edition;
}

const schema = z.object({
  shiftDurationMs: z.int().min(1),
  registrationDurationMs: z.int().min(0),
  requiredBond: z.bigint().min(0n),
  edition: z.enum(EDITIONS).optional(),
});
const required = Object.entries(schema.shape).filter(([, field]) => !field.safeParse(undefined).success);

/** The parameters in `value`, frozen; fields that are not parameters are left out. Throws `MidgardInputError` for the first bad one. */
export function parseProtocolParameters(value: unknown): ProtocolParameters {
  if (typeof value === 'object' && value !== null)
    checkedEdition('parameters.edition', (value as ProtocolParameters).edition);
  const result = schema.safeParse(value);
  if (result.success) return Object.freeze(result.data);
  const issue = result.error.issues[0]!;
  const field = issue.path.length === 0 ? 'parameters' : `parameters.${issue.path.join('.')}`;
  const found = issue.path.reduce<unknown>((at, key) => (at as Record<PropertyKey, unknown>)[key], value);
  throw new MidgardInputError(
    `${field}: ${issue.message}; all of ${required.map(([name]) => name).join(', ')} are required`,
    {
      field,
      value: found,
    },
  );
}

/** Refuses parameters that are not usable. Cheap enough for every call. */
export function checkParameters(parameters: ProtocolParameters): void {
  const isUsable =
    typeof parameters === 'object' &&
    parameters !== null &&
    Number.isSafeInteger(parameters.shiftDurationMs) &&
    parameters.shiftDurationMs > 0 &&
    Number.isSafeInteger(parameters.registrationDurationMs) &&
    parameters.registrationDurationMs >= 0 &&
    typeof parameters.requiredBond === 'bigint' &&
    parameters.requiredBond >= 0n &&
    (parameters.edition === undefined || EDITIONS.includes(parameters.edition));
  if (!isUsable) parseProtocolParameters(parameters);
}
