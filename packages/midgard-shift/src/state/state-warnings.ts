import { checkState, type MidgardState } from './midgard-state.js';
import { positionOf } from './pub-key-hash.js';

/** Something in a state that the scripts never produce, so that a file or a provider is most likely wrong. */
export interface StateWarning {
  readonly warning: 'equal-activation-times' | 'active-and-registered' | 'queue-out-of-order';
  readonly message: string;
}

/** The oddities of a well-formed state. Plans and verdicts for such a state follow the rules and may still surprise. */
export function stateWarnings(state: MidgardState): readonly StateWarning[] {
  checkState(state);
  const warnings: StateWarning[] = [];
  for (const [at, { operator, activationTime }] of state.registered.entries()) {
    const field = `state.registered[${at}]`;
    if (positionOf(state.active, operator) >= 0)
      warnings.push({ warning: 'active-and-registered', message: `${field}: ${operator} is active already` });
    const newer = state.registered[at - 1];
    if (newer === undefined) continue;
    if (newer.activationTime === activationTime)
      warnings.push({
        warning: 'equal-activation-times',
        message: `${field}: ${activationTime} is the activation time of two registrants, which edition 2026-05 does not allow`,
      });
    if (newer.activationTime < activationTime)
      warnings.push({
        warning: 'queue-out-of-order',
        message: `${field}: ${activationTime} is later than ${newer.activationTime} before it; the newest registrant comes first`,
      });
  }
  return warnings;
}
