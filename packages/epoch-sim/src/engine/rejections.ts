import { quote } from '../interchange/sim-errors.js';
import type { Fault } from './action-kind.js';
import type { EngineState } from './engine-state.js';

/** Writes a rejection down. */
export function reject(state: EngineState, id: string, verb: unknown, fault: Fault, t: number | null): void {
  const message = `${fault.code}: action ${quote(id)}: ${fault.problem}`;
  state.rejections.push({ id, code: fault.code, t, message });
  state.rejectedVerbs.push(String(verb));
}
