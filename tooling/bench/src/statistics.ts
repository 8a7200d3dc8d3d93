/** The value below which the share `q` of the sorted values lies, interpolated. */
export function quantile(sorted: readonly number[], q: number): number {
  const position = (sorted.length - 1) * q;
  const low = Math.floor(position);
  const high = Math.ceil(position);
  return sorted[low]! + (sorted[high]! - sorted[low]!) * (position - low);
}

export function median(values: readonly number[]): number {
  return quantile([...values].sort(ascending), 0.5);
}

export interface Summary {
  median: number;
  /** Quartile distance over the median: 0.05 means that the middle half of the rounds lies within 5 %. */
  spread: number;
  low: number;
  high: number;
}

export function summarize(values: readonly number[]): Summary {
  const sorted = [...values].sort(ascending);
  const middle = quantile(sorted, 0.5);
  const quartiles = quantile(sorted, 0.75) - quantile(sorted, 0.25);
  const [low, high] = medianInterval(values);
  return { median: middle, spread: middle === 0 ? 0 : quartiles / middle, low, high };
}

/** The 95 % interval of the median, by resampling. The resampling is seeded: the same rounds yield the same interval. */
export function medianInterval(values: readonly number[], resamples = 2_000): [number, number] {
  let state = 0x2545f491;
  const next = (n: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
    return Math.floor(((state >>> 0) / 0x1_0000_0000) * n);
  };
  const medians: number[] = [];
  for (let i = 0; i < resamples; i++) medians.push(median(values.map(() => values[next(values.length)]!)));
  medians.sort(ascending);
  return [quantile(medians, 0.025), quantile(medians, 0.975)];
}

export interface Ratio {
  median: number;
  low: number;
  high: number;
  /** False when the rounds disagree so much that a single number would mislead. */
  quotable: boolean;
}

/**
 * How many times our time the peer needs, from rounds that ran side by side. Not quotable when the interval contains 1 (no
 * difference seen) or when its ends differ by more than a factor of two.
 */
export function ratioOf(peer: readonly number[], ours: readonly number[]): Ratio {
  const perRound = peer.map((value, round) => value / ours[round]!);
  const [low, high] = medianInterval(perRound);
  const hidesDifference = low <= 1 && high >= 1;
  return { median: median(perRound), low, high, quotable: !hidesDifference && high <= low * 2 };
}

function ascending(a: number, b: number): number {
  return a - b;
}
