import type { Fraction } from './decimal-fraction.js';
import type { ActionDef, Modifier } from './interchange.js';
import { compileModifiers } from './modifiers.js';
import { InvalidDuration, InvalidSkill, quote } from './sim-errors.js';

const EFFORT_PERCENT = new Map<unknown, number>([
  ['low', 90],
  ['medium', 100],
  ['high', 110],
]);
const SKILL_PERCENT = [125, 100, 85, 70] as const;

/** The level that counts for `value`: rounded half up into 0 to 3, 1 when missing, null when it is not a number. */
export function skillLevel(value: unknown): 0 | 1 | 2 | 3 | null {
  if (value === undefined) return 1;
  if (typeof value !== 'number' || Number.isNaN(value)) return null;
  return Math.min(3, Math.max(0, Math.floor(value + 0.5))) as 0 | 1 | 2 | 3;
}

/** `effort` in percent (medium when missing), or null when it is not an effort. */
export function effortPercent(effort: unknown): number | null {
  return effort === undefined ? 100 : (EFFORT_PERCENT.get(effort) ?? null);
}

/** A usable base duration: a whole number of minutes from 1 to 10^11, so that the work stays an exact integer. */
export function isBaseDuration(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= 1e11;
}

/** Base duration times effort times skill, in ten-thousandths of a minute: an exact integer. */
export function workOf(base: number, effort: number, level: 0 | 1 | 2 | 3): number {
  return base * effort * SKILL_PERCENT[level];
}

/** `ceil(max(1, work / 10000 * factors))`, exactly. Durations beyond 2^53 - 1 minutes are capped at that. */
export function durationOf(work: number, factors: readonly Fraction[]): number {
  if (factors.length === 0) {
    const rest = work % 10_000;
    return Math.max(1, (work - rest) / 10_000 + (rest > 0 ? 1 : 0));
  }
  let numerator = BigInt(work);
  let denominator = 10_000n;
  for (const factor of factors) {
    numerator *= factor.numerator;
    denominator *= factor.denominator;
  }
  const minutes = (numerator + denominator - 1n) / denominator;
  if (minutes < 1n) return 1;
  return minutes > BigInt(Number.MAX_SAFE_INTEGER) ? Number.MAX_SAFE_INTEGER : Number(minutes);
}

/**
 * The minutes an action takes: `ceil(max(1, base * effort * skill * modifiers))` with exact integers, so that 50 minutes at
 * high effort are 55 and not 56. Every given factor counts, whatever its window; a modifier for another verb than `def.verb`
 * does not. Throws `InvalidDuration`, `InvalidSkill` or `InvalidModifier`.
 */
export function effectiveDuration(
  def: ActionDef,
  level?: number,
  modifiers: readonly (Modifier | number)[] = [],
): number {
  const base = def?.base_duration_min;
  if (!isBaseDuration(base)) throw badDuration('base_duration_min', base, 'give a whole number of minutes >= 1');
  const effort = effortPercent(def.effort);
  if (effort === null) throw badDuration('effort', def.effort, 'give low, medium or high');
  const known = skillLevel(level);
  if (known === null) {
    throw new InvalidSkill(`InvalidSkill: level is ${quote(level)}; give a number`, { field: 'level', value: level });
  }
  const all = compileModifiers(modifiers.map((one) => (typeof one === 'number' ? { factor: one } : one)));
  const factors = all.filter(({ verb }) => verb === null || def.verb === undefined || verb === def.verb);
  return durationOf(workOf(base, effort, known), factors);
}

function badDuration(field: string, value: unknown, remedy: string): InvalidDuration {
  return new InvalidDuration(`InvalidDuration: ${field} is ${quote(value)}; ${remedy}`, { field, value });
}
