import { runToCut } from './advance.js';
import { engineRules } from './engine-rules.js';
import { EngineState } from './engine-state.js';
import { epochResult } from './epoch-result.js';
import { epochOf, epochWindow, laterWindow } from './epoch-window.js';
import type { EpochInput, EpochOptions, EpochResult } from './interchange.js';
import { readCarryOver } from './read-carry-over.js';
import { ResourceTable } from './resource-table.js';
import { InvalidEpoch, quote } from './sim-errors.js';
import { defineAll, scheduleInterrupts, submitAll } from './submit.js';

/** The state at the beginning of an input's epoch. */
export function initialState(input: EpochInput, options: EpochOptions): EngineState {
  const state = new EngineState(engineRules(input, options));
  state.resources = ResourceTable.from(input.resources, input.carry_over?.resources);
  defineAll(state, input.action_defs);
  if (input.carry_over !== undefined && input.carry_over !== null) readCarryOver(state, input.carry_over);
  submitAll(state, input.actions_submitted);
  scheduleInterrupts(state, input.interrupts);
  return state;
}

/**
 * Simulates one epoch. Pure: the same input gives the same bytes, in any zone and locale. Bad actions and interrupts are
 * listed in the result and stop nobody else; `InvalidEpoch` and `InvalidModifier` are thrown. Ends and visibility changes at
 * the last minute close the epoch; everything else of that minute is minute 0 of the next, which is given `carry_over`.
 */
export function runEpoch(input: EpochInput, options: EpochOptions = {}): EpochResult {
  const state = initialState(input, options);
  runToCut(state, state.rules.window.minutes);
  return epochResult(state, input.carry_over ?? undefined);
}

/** The most epochs that one call simulates. */
const MOST_EPOCHS = 100_000;

/**
 * Simulates `count` consecutive epochs of equal length. The first takes the whole input; what it does not reach is carried
 * over, so that the events are those of one epoch of the whole length.
 */
export function runEpochs(input: EpochInput, count: number, options: EpochOptions = {}): EpochResult[] {
  if (!Number.isInteger(count) || count < 0 || count > MOST_EPOCHS) {
    const message = `InvalidEpoch: count is ${quote(count)}; give a whole number from 0 to ${MOST_EPOCHS}`;
    throw new InvalidEpoch(message, { field: 'count', value: count });
  }
  const window = epochWindow(input.epoch, options);
  const results: EpochResult[] = [];
  for (let i = 0; i < count; i++) {
    const { actions_submitted, interrupts, resources, carry_over, ...rest } = input;
    const given =
      i === 0
        ? { ...rest, actions_submitted, interrupts, resources, carry_over }
        : { ...rest, actions_submitted: [], carry_over: results[i - 1]!.carry_over };
    results.push(runEpoch({ ...given, epoch: epochOf(laterWindow(window, i)) }, options));
  }
  return results;
}
