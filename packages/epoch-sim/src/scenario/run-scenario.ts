import { runEpochs } from '../epoch/run-epoch.js';
import type { EpochResult } from '../interchange/interchange.js';
import type { EpochOptions } from '../interchange/options.js';
import type { Scenario } from './load-scenario.js';

/** Simulates all epochs of a scenario with its options; `options` passed here take precedence. `horae sim run` uses it. */
export function runScenario(scenario: Scenario, options: EpochOptions = {}): EpochResult[] {
  const { title: _title, about: _about, epochs = 1, options: own, ...input } = scenario;
  return runEpochs(input, epochs, { ...own, ...options });
}
