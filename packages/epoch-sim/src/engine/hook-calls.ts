import type { HookName, ToldAction } from '../interchange/hooks.js';
import type { EngineState } from './engine-state.js';

/** Notes that a hook is to be called for an action, if there is such a hook. */
export function tell(state: EngineState, hook: HookName, row: number, t: number, more: Partial<ToldAction>): void {
  if (state.rules.options[hook] === undefined) return;
  state.calls.push({ hook, row, told: { ...toldOf(state, row, t), ...more } });
}

export function toldOf(state: EngineState, row: number, t: number): ToldAction {
  const { actor, verb, params } = state.actions.instances[row]!;
  return { action_id: state.idOf(row), actor, verb, params, t };
}
