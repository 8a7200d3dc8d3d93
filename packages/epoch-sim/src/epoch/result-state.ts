import { oncePerProcess } from '@horae/clock-store';
import type { EngineState } from '../engine/engine-state.js';
import type { EpochResult } from '../interchange/interchange.js';
import { invalidEpoch } from '../interchange/sim-errors.js';

const states = oncePerProcess('result-states.1', () => new WeakMap<object, EngineState>());

/** Notes the state that a result was made from; figures need more than a result shows. A shallow copy has the same list of events. */
export function noteState(result: EpochResult, state: EngineState): EpochResult {
  states.set(result.schedule_events, state);
  return result;
}

/** The same, or undefined for a deep copy of a result. */
export function findState({ schedule_events }: EpochResult): EngineState | undefined {
  return typeof schedule_events === 'object' ? states.get(schedule_events) : undefined;
}

/** The state behind a result. Throws `InvalidEpoch` for a deep copy of a result, which has none. */
export function stateOf(result: EpochResult): EngineState {
  const state = findState(result);
  if (state !== undefined) return state;
  throw invalidEpoch('results', 'a copy', 'give what runEpoch, runEpochs or result() has returned');
}
