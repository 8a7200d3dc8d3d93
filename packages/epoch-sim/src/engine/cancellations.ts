import type { Cancellation } from '../interchange/happenings.js';
import { createMinuteReader } from '../interchange/instant.js';
import { ownValue } from '../interchange/own-property.js';
import type { EngineState, PendingCancellation } from './engine-state.js';
import { ignoreUnreadable } from './submit.js';

export function isUsableCancellation(given: unknown): given is Cancellation {
  const reason = ownValue(given, 'reason');
  return typeof ownValue(given, 'target') === 'string' && (reason === undefined || typeof reason === 'string');
}

/** Reads cancellations into the state. Those in the past happen in the first minute that is not complete. */
export function scheduleCancellations(state: EngineState, cancellations: readonly Cancellation[] | undefined): void {
  if (!Array.isArray(cancellations)) return;
  const { start } = state.rules.window;
  const readMinute = createMinuteReader(start);
  const pending = state.cancellations.slice();
  for (const given of cancellations as unknown[]) {
    const minute = readMinute(ownValue(given, 'at'));
    if (minute === null || !isUsableCancellation(given)) {
      ignoreUnreadable(state, given);
      continue;
    }
    const carriedIn = ownValue(given, 'due_in');
    const due = typeof carriedIn === 'number' ? state.minute + carriedIn : minute - start;
    pending.push({ due: Math.max(due, state.minute), given });
  }
  state.cancellations = pending.sort((a, b) => a.due - b.due);
}

/** Keeps the order (due, scheduling). */
export function insertCancellation({ cancellations }: EngineState, pending: PendingCancellation): void {
  let at = cancellations.length;
  while (at > 0 && cancellations[at - 1]!.due > pending.due) at--;
  cancellations.splice(at, 0, pending);
}
