import { findState } from '../epoch/result-state.js';
import { runEpoch } from '../epoch/run-epoch.js';
import type { EpochInput, EpochResult } from '../interchange/interchange.js';
import type { EpochOptions } from '../interchange/options.js';
import { invalidEpoch, quote } from '../interchange/sim-errors.js';
import type { Scenario } from '../scenario/load-scenario.js';
import { runScenario } from '../scenario/run-scenario.js';

/**
 * The input and options that results were made from. Events do not show which locks an action held, so a result that comes from a file or
 * from another thread needs it; a result as it was returned, and a shallow copy of one, does not.
 */
export interface ResultSource {
  /** The input or scenario of all results, or the input of each of them. */
  readonly input?: EpochInput | Scenario | readonly EpochInput[];
  /** The options that they were simulated with. */
  readonly options?: EpochOptions;
}

/**
 * The results with the states behind them: the given ones where they have them, else the same ones simulated once more. Throws
 * `InvalidEpoch` for a deep copy without its input, and where the input yields another result than the copy.
 */
export function originalResults(
  results: EpochResult | readonly EpochResult[],
  source: ResultSource = {},
): readonly EpochResult[] {
  const list = (Array.isArray(results) ? results : [results]) as readonly EpochResult[];
  if (list.length === 0) throw invalidEpoch('results', 'an empty list', 'give at least one result');
  for (const [i, result] of list.entries()) {
    if (typeof result !== 'object' || result === null)
      throw invalidEpoch(`results[${i}]`, result, 'give what runEpoch, runEpochs or result() has returned');
  }
  if (list.every((result) => findState(result) !== undefined)) return list;
  const again = simulateAgain(list, source);
  for (const [i, result] of list.entries()) checkSame(result, again[i], i);
  return again;
}

function simulateAgain(list: readonly EpochResult[], { input, options = {} }: ResultSource): EpochResult[] {
  if (input === undefined || input === null) {
    const remedy = 'give the input (and the options) that it was made from as well, or the result as it was returned';
    throw invalidEpoch('results', 'a copy', remedy);
  }
  if (!Array.isArray(input)) return runScenario({ ...(input as Scenario), epochs: list.length }, options);
  return (input as readonly EpochInput[]).map((one) => runEpoch(one, options));
}

/** The last hash of an epoch covers all its events and those before it. */
function checkSame(copy: EpochResult, again: EpochResult | undefined, i: number): void {
  const isSame =
    again !== undefined &&
    again.epoch.start_at === copy.epoch?.start_at &&
    again.epoch.end_at === copy.epoch?.end_at &&
    again.carry_over.hash === copy.carry_over?.hash;
  if (isSame) return;
  const found = again === undefined ? 'nothing' : `an epoch that ends with ${quote(again.carry_over.hash)}`;
  const remedy = 'give the input and the options that the result was made from';
  throw invalidEpoch('input', `one that gives ${found} for results[${i}]`, remedy);
}
