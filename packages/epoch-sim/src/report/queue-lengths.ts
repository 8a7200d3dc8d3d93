import type { EpochResult } from '../interchange/interchange.js';
import { putOwn } from '../interchange/own-property.js';
import { queuePoints } from './lock-figures.js';
import { originalResults, type ResultSource } from './original-results.js';
import { timeLine } from './summarize.js';

/**
 * The length of each lock's queue over time, as `[minute, length]` wherever it changes, from minute 0 on. Minutes count from the
 * start of the first epoch. Takes copies like `summarize`.
 */
export function queueLengths(
  results: EpochResult | readonly EpochResult[],
  source: ResultSource = {},
): Record<string, [number, number][]> {
  const { parts, to } = timeLine(originalResults(results, source));
  const lengths: Record<string, [number, number][]> = {};
  for (const [name, points] of queuePoints(parts, to))
    putOwn(lengths, name, points[0]?.[0] === 0 ? points : [[0, 0], ...points]);
  return lengths;
}
