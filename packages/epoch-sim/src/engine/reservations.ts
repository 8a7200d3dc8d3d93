import type { EngineState } from './engine-state.js';

/** Whether an action has its resources: at its admission, or at its first start when it waits for them. */
export function hasReserved(state: EngineState, row: number): boolean {
  return !state.kinds[state.actions.kind(row)]!.waits || state.actions.attempt(row) > 0;
}

/** Settles what an action has reserved, and adds what it has made unless it was cancelled. Actions that wait for it may start. */
export function endReservation(state: EngineState, row: number, cancelled: boolean): void {
  if (!state.anyNeeds) return;
  const { needs, yields } = state.kinds[state.actions.kind(row)]!;
  if (needs.length > 0 && hasReserved(state, row)) state.resources.settle(needs, cancelled);
  if (yields.length > 0 && !cancelled) state.resources.produce(yields);
  if (state.levelOf.size === 0) return;
  for (const { name } of [...needs, ...yields]) {
    const level = state.levelOf.get(name);
    if (level !== undefined && state.locks.head[level]! >= 0) state.locks.touch(level);
  }
}
