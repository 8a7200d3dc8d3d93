import { endPhase } from './end-phase.js';
import type { EngineState } from './engine-state.js';
import { interruptPhase } from './interrupt-phase.js';
import { startPhase } from './start-phase.js';

/** The first minute from `state.minute` on in which something happens, or Infinity. */
export function nextMinute(state: EngineState): number {
  const { minute, interrupts, interruptCursor, reveals } = state;
  if (state.locks.dirty.length > 0 || state.unlocked.length > 0) return minute;
  let soonest = state.ends.nextMinute(minute);
  soonest = Math.min(soonest, state.submissions.nextMinute(minute));
  soonest = Math.min(soonest, state.resumptions.nextMinute(minute));
  if (interruptCursor < interrupts.length) soonest = Math.min(soonest, interrupts[interruptCursor]!.due);
  if (reveals.length > 0) soonest = Math.min(soonest, reveals[0]!.due);
  return Math.max(minute, soonest);
}

/** Ends and visibility changes of a minute: the part that closes an epoch. */
function close(state: EngineState, minute: number): void {
  state.minute = minute;
  state.ends.turnTo(minute);
  state.submissions.turnTo(minute);
  state.resumptions.turnTo(minute);
  endPhase(state, minute);
}

/** Carries out one whole minute. */
export function stepMinute(state: EngineState, minute: number): void {
  close(state, minute);
  interruptPhase(state, minute);
  startPhase(state, minute);
  state.minute = minute + 1;
}

/** Carries out everything up to and including minute `last`; quiet minutes cost nothing. */
export function runThrough(state: EngineState, last: number): void {
  for (let minute = nextMinute(state); minute <= last; minute = nextMinute(state)) stepMinute(state, minute);
  state.minute = Math.max(state.minute, last + 1);
}

/** Carries out everything before minute `end`, and of `end` itself the ends and visibility changes. */
export function runToCut(state: EngineState, end: number): void {
  for (let minute = nextMinute(state); minute < end; minute = nextMinute(state)) stepMinute(state, minute);
  close(state, end);
}
