import { refuse } from './midgard-input-error.js';

/**
 * Which version of the scheduler's scripts counts: `2025` is the specification before February 2026, `2026-05` upstream's `main` as of May
 * 2026. The README compares them.
 */
export type Edition = '2025' | '2026-05';

/** The edition of parameters and codec options that name none. */
export const DEFAULT_EDITION: Edition = '2025';

export const EDITIONS: readonly Edition[] = ['2025', '2026-05'];

/** `value`, or the default edition when it is left out; refuses anything else. */
export function checkedEdition(field: string, value: Edition | undefined): Edition {
  if (value === undefined) return DEFAULT_EDITION;
  if (EDITIONS.includes(value)) return value;
  return refuse(field, EDITIONS.map((edition) => `'${edition}'`).join(' or '), value);
}
