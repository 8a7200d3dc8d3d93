import { seededRandom } from '@horae/clock-store';
import { quote } from './sim-errors.js';

/** A law that numbers are drawn from. In minutes, unless stated otherwise. */
export type Distribution =
  | { readonly kind: 'fixed'; readonly value: number }
  | { readonly kind: 'uniform'; readonly min: number; readonly max: number }
  | { readonly kind: 'exponential'; readonly mean: number }
  | { readonly kind: 'normal'; readonly mean: number; readonly sd: number }
  | { readonly kind: 'lognormal'; readonly mu: number; readonly sigma: number }
  | { readonly kind: 'triangular'; readonly min: number; readonly mode: number; readonly max: number }
  | { readonly kind: 'gamma'; readonly shape: number; readonly scale: number }
  | { readonly kind: 'weibull'; readonly shape: number; readonly scale: number }
  | { readonly kind: 'empirical'; readonly values: readonly number[]; readonly weights?: readonly number[] };

/** Numbers from 0 (included) to 1 (excluded). */
type Uniform = () => number;

/** The longest duration that is drawn, in minutes. */
const MAX_MINUTES = 1e11;
/** Tries of a method by rejection; each succeeds nineteen times out of twenty. */
const MAX_TRIES = 1_000;

/** The rule of a parameter: a test, and the words for it. */
interface Rule {
  readonly passes: (value: unknown) => boolean;
  readonly words: string;
}

const any: Rule = { passes: isNumber, words: 'a finite number' };
const positive: Rule = { passes: (value) => isNumber(value) && value > 0, words: 'a number > 0' };
const notNegative: Rule = { passes: (value) => isNumber(value) && value >= 0, words: 'a number >= 0' };
const numbers: Rule = { passes: isNumbers, words: 'a list of finite numbers' };
const weights: Rule = {
  passes: (value) => value === undefined || (isNumbers(value) && value.every((weight) => weight >= 0)),
  words: 'a list of numbers >= 0',
};

/** The parameters of each kind. A negative draw counts as the shortest duration or gap, so values may be negative. */
const PARAMETERS: Readonly<Record<Distribution['kind'], Readonly<Record<string, Rule>>>> = {
  fixed: { value: any },
  uniform: { min: any, max: any },
  exponential: { mean: positive },
  normal: { mean: any, sd: notNegative },
  lognormal: { mu: any, sigma: notNegative },
  triangular: { min: any, mode: any, max: any },
  gamma: { shape: positive, scale: positive },
  weibull: { shape: positive, scale: positive },
  empirical: { values: numbers, weights },
};

/** The fault of a distribution. */
export interface DistributionFault {
  /** The bad field of it; undefined when it is not a distribution at all. */
  readonly field: string | undefined;
  readonly value: unknown;
  /** The expected value, in words. */
  readonly expected: string;
}

/** The first fault of a distribution; null when it can be drawn from. */
export function distributionFault(given: unknown): DistributionFault | null {
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    return { field: undefined, value: given, expected: 'a number or a distribution' };
  const fields = given as Record<string, unknown>;
  const kind = fields.kind as Distribution['kind'];
  if (typeof kind !== 'string' || !Object.hasOwn(PARAMETERS, kind))
    return { field: 'kind', value: kind, expected: `one of ${Object.keys(PARAMETERS).join(', ')}` };
  const rules = PARAMETERS[kind];
  const unknown = Object.keys(fields).find((name) => name !== 'kind' && !Object.hasOwn(rules, name));
  if (unknown !== undefined) {
    const expected = `no such field; the ${kind} distribution has ${Object.keys(rules).join(', ')}`;
    return { field: unknown, value: fields[unknown], expected };
  }
  for (const [field, { passes, words }] of Object.entries(rules)) {
    const value = Object.hasOwn(fields, field) ? fields[field] : undefined;
    if (!passes(value)) return { field, value, expected: `${words} as ${field} of the ${kind} distribution` };
  }
  return orderFault(given as Distribution);
}

/** The path of the bad field, for a distribution at this path. */
export function faultPath(path: string, { field }: DistributionFault): string {
  return field === undefined ? path : `${path}.${field}`;
}

/** A fault as a sentence with the remedy. */
export function faultWords({ field, value, expected }: DistributionFault): string {
  return `${field === undefined ? 'it' : `its ${field}`} is ${quote(value)}; give ${expected}`;
}

function orderFault(given: Distribution): DistributionFault | null {
  if (given.kind === 'uniform' && given.min > given.max)
    return { field: 'max', value: given.max, expected: `a number >= its min, ${given.min}` };
  if (given.kind === 'triangular' && !(given.min <= given.mode && given.mode <= given.max))
    return {
      field: 'mode',
      value: given.mode,
      expected: `min <= mode <= max, but min is ${given.min}, max ${given.max}`,
    };
  if (given.kind !== 'empirical' || given.weights === undefined) return null;
  const { values, weights } = given;
  if (weights.length === values.length && weights.some((weight) => weight > 0)) return null;
  return { field: 'weights', value: weights, expected: `${values.length} weights, one for each value, not all 0` };
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}

function isNumbers(value: unknown): value is number[] {
  return Array.isArray(value) && value.length > 0 && value.every(isNumber);
}

/**
 * One number for a purpose, a seed, an id and an attempt. It depends on nothing else, so that one action, arrival or outage does not change
 * the draws of others.
 */
export function draw(
  law: Distribution,
  purpose: 'duration' | 'arrival' | 'outage' | 'repair',
  seed: number | string,
  id: string,
  attempt: number,
): number {
  if (law.kind === 'fixed') return law.value;
  const random = seededRandom(`${purpose}:${typeof seed}:${seed}:${attempt}:${id}`);
  const uniform = (): number => ((random.uint32() >>> 5) * 0x4000000 + (random.uint32() >>> 6)) / 2 ** 53;
  return sample(law, uniform);
}

/** A draw as a duration: whole minutes, rounded up, at least one. */
export function wholeMinutes(drawn: number): number {
  return Number.isFinite(drawn) ? Math.min(MAX_MINUTES, Math.max(1, Math.ceil(drawn))) : MAX_MINUTES;
}

function sample(law: Distribution, uniform: Uniform): number {
  switch (law.kind) {
    case 'fixed':
      return law.value;
    case 'uniform':
      return law.min + (law.max - law.min) * uniform();
    case 'exponential':
      return -law.mean * Math.log(1 - uniform());
    case 'normal':
      return law.mean + law.sd * standardNormal(uniform);
    case 'lognormal':
      return Math.exp(law.mu + law.sigma * standardNormal(uniform));
    case 'triangular':
      return triangular(law, uniform());
    case 'gamma':
      return law.scale * standardGamma(law.shape, uniform);
    case 'weibull':
      return law.scale * (-Math.log(1 - uniform())) ** (1 / law.shape);
    case 'empirical':
      return empirical(law, uniform());
  }
}

/** Box and Muller; the second number is not kept, so that a draw leaves nothing behind. */
function standardNormal(uniform: Uniform): number {
  return Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform());
}

function triangular({ min, mode, max }: Extract<Distribution, { kind: 'triangular' }>, u: number): number {
  const width = max - min;
  if (width === 0) return mode;
  const left = (mode - min) / width;
  return u < left ? min + Math.sqrt(u * width * (mode - min)) : max - Math.sqrt((1 - u) * width * (max - mode));
}

/** Marsaglia and Tsang; shapes below one are raised by one and scaled back. */
function standardGamma(shape: number, uniform: Uniform): number {
  if (shape < 1) return standardGamma(shape + 1, uniform) * (1 - uniform()) ** (1 / shape);
  const d = shape - 1 / 3;
  const c = 1 / Math.sqrt(9 * d);
  for (let i = 0; i < MAX_TRIES; i++) {
    const x = standardNormal(uniform);
    const v = (1 + c * x) ** 3;
    if (v > 0 && Math.log(1 - uniform()) < 0.5 * x * x + d - d * v + d * Math.log(v)) return d * v;
  }
  return d;
}

function empirical({ values, weights }: Extract<Distribution, { kind: 'empirical' }>, u: number): number {
  if (weights === undefined) return values[Math.floor(u * values.length)]!;
  let left = u * weights.reduce((sum, weight) => sum + weight, 0);
  for (let i = 0; i < values.length; i++) {
    left -= weights[i]!;
    if (left < 0) return values[i]!;
  }
  return values[weights.findLastIndex((weight) => weight > 0)]!;
}

/** Whether every draw is zero or less, so that a sum of draws never grows. */
export function neverGrows(law: Distribution): boolean {
  if (law.kind === 'fixed') return law.value <= 0;
  if (law.kind === 'uniform' || law.kind === 'triangular') return law.max <= 0;
  if (law.kind === 'normal') return law.sd === 0 && law.mean <= 0;
  return law.kind === 'empirical' && law.values.every((value, i) => value <= 0 || law.weights?.[i] === 0);
}
