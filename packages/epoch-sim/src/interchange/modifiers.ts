import { decimalFraction, type Fraction } from './decimal-fraction.js';
import type { Modifier } from './interchange.js';
import { InvalidModifier, quote } from './sim-errors.js';

const DAY = 1440;

/** A checked modifier. */
export interface CompiledModifier extends Fraction {
  readonly verb: string | null;
  readonly from: number;
  readonly to: number;
}

/** Checks modifiers. Throws `InvalidModifier` at the first bad one. */
export function compileModifiers(modifiers: readonly Modifier[] = []): CompiledModifier[] {
  if (!Array.isArray(modifiers)) fail('modifiers', modifiers, 'give a list');
  return modifiers.map((modifier, i) => {
    const { factor, verb = null, from = 0, to = DAY } = (modifier ?? {}) as Modifier;
    const fraction = decimalFraction(factor);
    if (fraction === null) fail(`modifiers[${i}].factor`, factor, 'give a finite number > 0');
    if (verb !== null && typeof verb !== 'string') fail(`modifiers[${i}].verb`, verb, 'give the name of a verb');
    for (const [name, value] of [
      ['from', from],
      ['to', to],
    ] as const) {
      if (!Number.isInteger(value) || value < 0 || value > DAY)
        fail(`modifiers[${i}].${name}`, value, 'give a minute of the UTC day, a whole number from 0 to 1440');
    }
    return { ...fraction, verb, from, to };
  });
}

function fail(field: string, value: unknown, remedy: string): never {
  throw new InvalidModifier(`InvalidModifier: ${field} is ${quote(value)}; ${remedy}`, { field, value });
}

/** Whether a modifier holds for `verb` at a minute of the UTC day. `[from, to)` wraps midnight when `from > to`. */
export function applies(modifier: CompiledModifier, verb: string, minuteOfDay: number): boolean {
  if (modifier.verb !== null && modifier.verb !== verb) return false;
  const { from, to } = modifier;
  return from <= to ? minuteOfDay >= from && minuteOfDay < to : minuteOfDay >= from || minuteOfDay < to;
}
