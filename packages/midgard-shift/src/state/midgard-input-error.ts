import { HoraeError } from '@horae/clock-store';

/** An argument is not usable: the message and the details name the field, the value and what to write instead. */
export class MidgardInputError extends HoraeError<{ field: string; value: unknown }> {
  readonly code = 'bad-midgard-input';
}

/** Throws `MidgardInputError`: `field` must be `wanted`, and is `value`. */
export function refuse(field: string, wanted: string, value: unknown): never {
  throw new MidgardInputError(`${field} must be ${wanted}, got ${shown(value)}`, { field, value });
}

/** `value` when it is a whole number that a double holds exactly; refuses it otherwise. */
export function checkedInteger(field: string, value: number, atLeast = Number.MIN_SAFE_INTEGER): number {
  if (Number.isSafeInteger(value) && value >= atLeast) return value;
  const range = atLeast === Number.MIN_SAFE_INTEGER ? '' : `, ${atLeast} or more`;
  return refuse(field, `a whole number${range}`, value);
}

function shown(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.length > 80 ? `${value.slice(0, 80)}…` : value);
  if (typeof value === 'bigint') return `${value}n`;
  if (Array.isArray(value)) return `a list of ${value.length}`;
  return typeof value === 'object' && value !== null ? 'an object' : String(value);
}
