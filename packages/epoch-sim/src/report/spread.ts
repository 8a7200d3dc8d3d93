/** How values are spread; quantiles by nearest rank. Without values all but the count is null. */
export interface Spread {
  count: number;
  mean: number | null;
  p50: number | null;
  p90: number | null;
  p99: number | null;
  max: number | null;
}

export function spreadOf(values: readonly number[]): Spread {
  const count = values.length;
  if (count === 0) return { count, mean: null, p50: null, p90: null, p99: null, max: null };
  const sorted = Float64Array.from(values).sort();
  const rank = (percent: number): number => sorted[Math.ceil((percent / 100) * count) - 1]!;
  const mean = sorted.reduce((sum, value) => sum + value, 0) / count;
  return { count, mean, p50: rank(50), p90: rank(90), p99: rank(99), max: sorted[count - 1]! };
}
