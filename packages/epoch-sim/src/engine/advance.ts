import { nextArrival } from './arrival-sources.js';
import { callHooks } from './call-hooks.js';
import { cancelPhase, patiencePhase } from './cancel-phase.js';
import { endPhase } from './end-phase.js';
import type { EngineState } from './engine-state.js';
import { interruptPhase } from './interrupt-phase.js';
import { nextOutage, outagePhase } from './outages.js';
import { startPhase } from './start-phase.js';

/** The first minute from `state.minute` on in which something happens, or Infinity. */
export function nextMinute(state: EngineState): number {
  const { minute, interrupts, interruptCursor, reveals, cancellations } = state;
  if (state.locks.dirty.length > 0 || state.unlocked.length > 0 || state.lookAgain) return minute;
  let soonest = state.ends.nextMinute(minute);
  soonest = Math.min(soonest, state.submissions.nextMinute(minute));
  soonest = Math.min(soonest, state.resumptions.nextMinute(minute));
  if (interruptCursor < interrupts.length) soonest = Math.min(soonest, interrupts[interruptCursor]!.due);
  if (reveals.length > 0) soonest = Math.min(soonest, reveals[0]!.due);
  if (state.patient > 0) soonest = Math.min(soonest, state.patience.nextMinute(minute));
  if (cancellations.length > 0) soonest = Math.min(soonest, cancellations[0]!.due);
  if (state.arrivals.length > 0) soonest = Math.min(soonest, nextArrival(state));
  if (state.outages.length + state.down.size > 0) soonest = Math.min(soonest, nextOutage(state));
  return Math.max(minute, soonest);
}

/** Ends, repairs and visibility changes of a minute: the part that closes an epoch. */
function close(state: EngineState, minute: number): void {
  state.minute = minute;
  state.ends.turnTo(minute);
  state.submissions.turnTo(minute);
  state.resumptions.turnTo(minute);
  state.patience.turnTo(minute);
  endPhase(state, minute);
}

/** Carries out one whole minute. */
export function stepMinute(state: EngineState, minute: number): void {
  close(state, minute);
  interruptPhase(state, minute);
  outagePhase(state, minute);
  callHooks(state, minute);
  cancelPhase(state, minute);
  patiencePhase(state, minute);
  callHooks(state, minute);
  startPhase(state, minute);
  state.minute = minute + 1;
}

/** Carries out everything up to and including minute `last`; quiet minutes cost nothing. */
export function runThrough(state: EngineState, last: number): void {
  for (let minute = nextMinute(state); minute <= last; minute = nextMinute(state)) stepMinute(state, minute);
  state.minute = Math.max(state.minute, last + 1);
}

/** Carries out everything before minute `end`, and of `end` itself the ends, repairs and visibility changes. */
export function runToCut(state: EngineState, end: number): void {
  for (let minute = nextMinute(state); minute < end; minute = nextMinute(state)) stepMinute(state, minute);
  close(state, end);
}
