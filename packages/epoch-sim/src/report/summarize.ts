import { stateOf } from '../epoch/result-state.js';
import type { EpochResult } from '../interchange/interchange.js';
import { invalidEpoch } from '../interchange/sim-errors.js';
import { type LockFigures, lockFigures, type Part } from './lock-figures.js';
import { originalResults, type ResultSource } from './original-results.js';
import { type StockFigures, stockFigures } from './stock-figures.js';
import { type VerbFigures, verbFigures } from './verb-figures.js';

/** The figures of a time line. Minutes count from the start of the first epoch. */
export interface Summary {
  from: number;
  to: number;
  locks: Record<string, LockFigures>;
  verbs: Record<string, VerbFigures>;
  resources: Record<string, StockFigures>;
}

/** The part of a time line that counts, and for deep copies the input that the results were made from. */
export interface SummaryOptions extends ResultSource {
  /** Minutes at the beginning that are left out; 0 by default. */
  readonly warm_up_min?: number;
}

/**
 * The figures of a result, or of the results of consecutive epochs. Means over time are of `[warm_up_min, end of the last epoch]`, counts
 * of events from then on, waits and durations of actions requested from then on. Results from a file or another thread need the `input`
 * they were made from (and its `options`). Throws `InvalidEpoch`.
 */
export function summarize(results: EpochResult | readonly EpochResult[], options: SummaryOptions = {}): Summary {
  const from = options.warm_up_min ?? 0;
  if (!Number.isSafeInteger(from) || from < 0)
    throw invalidEpoch('warm_up_min', from, 'give a whole number of minutes >= 0');
  const { parts, to } = timeLine(originalResults(results, options));
  return {
    from,
    to,
    locks: lockFigures(parts, from, to),
    verbs: verbFigures(parts, from, to),
    resources: stockFigures(parts, from, to),
  };
}

/** The states of consecutive epochs and their places on one line of time. */
export function timeLine(results: readonly EpochResult[]): { parts: Part[]; to: number } {
  const states = results.map(stateOf);
  const origin = states[0]!.rules.window.start;
  let to = 0;
  const parts = states.map((state) => {
    const offset = state.rules.window.start - origin;
    if (offset !== to)
      throw invalidEpoch('results', state.isoOf(0), 'give the results of consecutive epochs in their order');
    to = offset + state.minute;
    return { state, offset };
  });
  return { parts, to };
}
