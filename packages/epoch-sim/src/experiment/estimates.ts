import { putOwn } from '../interchange/own-property.js';
import type { Summary } from '../report/summarize.js';
import { studentQuantile } from './student.js';

/** A figure over all runs that have it, with its 95 % interval. */
export interface Estimate {
  mean: number;
  sd: number;
  low: number;
  high: number;
  runs: number;
}

/** The values of a figure over all runs, or the figures under a name. */
interface Gathered {
  readonly values: number[];
  readonly under: Map<string, Gathered>;
}

/** Estimates of every figure, under its dotted name. A figure that no run has is left out. */
export function estimatesOf(summaries: readonly Summary[]): Record<string, Estimate> {
  const root = nothing();
  for (const { locks, verbs, resources } of summaries) gather(root, { locks, verbs, resources });
  const estimates: Record<string, Estimate> = {};
  name(root, '');
  return estimates;

  function name({ values, under }: Gathered, path: string): void {
    if (values.length > 0) putOwn(estimates, path, estimateOf(values));
    for (const [key, inner] of under) name(inner, path === '' ? key : `${path}.${key}`);
  }
}

function nothing(): Gathered {
  return { values: [], under: new Map() };
}

/** Names are put together once for all runs: there are as many of them as figures. */
function gather(into: Gathered, value: object): void {
  for (const [key, inner] of Object.entries(value)) {
    if (inner === null || Array.isArray(inner)) continue;
    const own = into.under.get(key) ?? nothing();
    into.under.set(key, own);
    if (typeof inner === 'number') own.values.push(inner);
    else gather(own, inner);
  }
}

function estimateOf(values: readonly number[]): Estimate {
  const runs = values.length;
  const mean = values.reduce((sum, value) => sum + value, 0) / runs;
  if (runs === 1) return { mean, sd: 0, low: mean, high: mean, runs };
  const sd = Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (runs - 1));
  const half = (studentQuantile(runs - 1) * sd) / Math.sqrt(runs);
  return { mean, sd, low: mean - half, high: mean + half, runs };
}
