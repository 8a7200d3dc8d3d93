import { seededRandom } from '@horae/clock-store';
import type { Noise } from './interchange.js';
import { InvalidModifier, quote } from './sim-errors.js';

/** Throws `InvalidModifier` unless the percentage is from 0 to 100 and the seed is a text or a finite number. */
export function checkNoise(noise: Noise | undefined): Noise | undefined {
  if (noise === undefined) return undefined;
  const { seed, percent } = noise;
  if (typeof percent !== 'number' || !(percent >= 0 && percent <= 100)) fail('noise.percent', percent, 'from 0 to 100');
  if (typeof seed !== 'string' && !Number.isFinite(seed)) fail('noise.seed', seed, 'that is finite, or a text');
  return noise;
}

function fail(field: string, value: unknown, remedy: string): never {
  throw new InvalidModifier(`InvalidModifier: ${field} is ${quote(value)}; give a number ${remedy}`, { field, value });
}

/** A duration scaled by up to `percent` either way. Drawn for this (seed, id, attempt) alone: other draws do not change. */
export function noisyDuration(noise: Noise, id: string, attempt: number, minutes: number): number {
  const draw = seededRandom(`${typeof noise.seed}:${noise.seed}:${attempt}:${id}`).uint32();
  const factor = 1 + (noise.percent / 100) * ((2 * draw) / 0xffff_ffff - 1);
  return Math.max(1, Math.round(minutes * factor));
}
