import { Flag } from '../tables/action-table.js';
import { forgetPatience } from './cancel-phase.js';
import type { EngineState } from './engine-state.js';

/** Whether a request that is first in all its queues also finds the resources it waits for. */
export function hasResources(state: EngineState, row: number): boolean {
  return !waitsForResources(state, row) || state.resources.shortage(state.needsOf(row)) === null;
}

function waitsForResources(state: EngineState, row: number): boolean {
  const { actions } = state;
  const isSpecial = (actions.flags(row) & Flag.special) !== 0;
  return isSpecial && actions.attempt(row) === 0 && state.kinds[actions.kind(row)]!.waits;
}

/**
 * Grants a request everything it asks for. The queues for resources are left for good: what is reserved stays with the action over
 * interrupts.
 */
export function grant(state: EngineState, row: number): void {
  const { actions, locks } = state;
  locks.seize(actions, row);
  if ((actions.flags(row) & Flag.special) === 0) return;
  forgetPatience(state, row);
  if (!waitsForResources(state, row)) return;
  state.resources.reserve(state.needsOf(row));
  actions.setLockCount(row, actions.lockCount(row) - state.kindLevels[actions.kind(row)]!.length);
}
