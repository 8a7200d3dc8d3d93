import { runToCut } from '../engine/advance.js';
import { scheduleArrivals } from '../engine/arrival-sources.js';
import { scheduleCancellations } from '../engine/cancellations.js';
import { engineRules } from '../engine/engine-rules.js';
import { EngineState } from '../engine/engine-state.js';
import { epochOf, epochWindow, laterWindow } from '../engine/epoch-window.js';
import { scheduleOutages } from '../engine/outages.js';
import { defineAll, scheduleInterrupts, submitAll } from '../engine/submit.js';
import type { EpochInput, EpochResult } from '../interchange/interchange.js';
import type { EpochOptions } from '../interchange/options.js';
import { InvalidEpoch, quote } from '../interchange/sim-errors.js';
import { ResourceTable } from '../tables/resource-table.js';
import { epochResult } from './epoch-result.js';
import { readCarryOver } from './read-carry-over.js';

/** The state at the beginning of an input's epoch. */
export function initialState(input: EpochInput, options: EpochOptions): EngineState {
  const state = new EngineState(engineRules(input, options));
  state.resources = ResourceTable.from(input.resources, input.carry_over?.resources);
  state.firstStocks = state.resources.toRecord();
  for (const name of state.rules.lockDefs.keys()) state.lockNumber(name);
  defineAll(state, input.action_defs);
  if (input.carry_over !== undefined && input.carry_over !== null) readCarryOver(state, input.carry_over);
  submitAll(state, input.actions_submitted);
  scheduleInterrupts(state, input.interrupts);
  scheduleCancellations(state, input.cancellations);
  scheduleArrivals(state, input.arrivals);
  scheduleOutages(state, input.outages);
  return state;
}

/**
 * Simulates one epoch. Pure: the same input yields the same bytes, in any zone and locale. Bad actions and interrupts are listed in the
 * result and stop no others; `InvalidEpoch` and `InvalidModifier` are thrown. Ends and visibility changes at the last minute close the
 * epoch; everything else of that minute is minute 0 of the next, which receives `carry_over`.
 */
export function runEpoch(input: EpochInput, options: EpochOptions = {}): EpochResult {
  const state = initialState(input, options);
  runToCut(state, state.rules.window.minutes);
  return epochResult(state, input.carry_over ?? undefined);
}

/** The most epochs that one call simulates. */
const MAX_EPOCHS = 100_000;

/**
 * Simulates `count` consecutive epochs of equal length. The first takes the whole input; what it does not reach is carried
 * over, so that the events are those of one epoch of the whole length.
 */
export function runEpochs(input: EpochInput, count: number, options: EpochOptions = {}): EpochResult[] {
  if (!Number.isInteger(count) || count < 0 || count > MAX_EPOCHS) {
    const message = `InvalidEpoch: count is ${quote(count)}; give a whole number from 0 to ${MAX_EPOCHS}`;
    throw new InvalidEpoch(message, { field: 'count', value: count });
  }
  const window = epochWindow(input.epoch, options);
  const results: EpochResult[] = [];
  for (let i = 0; i < count; i++) {
    const epoch = epochOf(laterWindow(window, i));
    if (i === 0) {
      results.push(runEpoch({ ...input, epoch }, options));
      continue;
    }
    // Parts that were read once are in the carry-over.
    const { interrupts, cancellations, arrivals, outages, resources, ...rest } = input;
    results.push(runEpoch({ ...rest, epoch, actions_submitted: [], carry_over: results[i - 1]!.carry_over }, options));
  }
  return results;
}
