import { editionOf } from '../editions/edition-of.js';
import { checkedInteger } from '../state/midgard-input-error.js';
import { checkState, type MidgardState, type SchedulerDatum } from '../state/midgard-state.js';
import { checkParameters, type ProtocolParameters } from '../state/protocol-parameters.js';
import { type Plan, planNext } from './plan-transaction.js';

/** The limit per call. When more shifts were missed, submit these plans and call again. */
const MAX_PLANS = 1_000_000;

/**
 * The plans to catch up: one unsigned plan per shift that was not taken and has ended at `now`, in edition `2026-05` that has begun before
 * `now`. Each plan is valid in the state that the ones before it leave. Ends with a plan that is not possible where a registrant has to be
 * activated first, or no operator is active. Empty when nothing was missed and before Init. In edition `2025` the shift that is running at
 * `now` is not among them: its operator can still sign.
 */
export function planCatchUp(state: MidgardState, now: number, parameters: ProtocolParameters): Plan[] {
  checkParameters(parameters);
  checkState(state);
  checkedInteger('now', now);
  const plans: Plan[] = [];
  let previous: SchedulerDatum | null = state.scheduler;
  if (previous === null) return plans;
  const missed = Math.min(MAX_PLANS, unsignedTransitions(previous, now, parameters));
  while (plans.length < missed && previous !== null) {
    const plan = planNext(state, previous, now, null, parameters);
    plans.push(plan);
    previous = plan.possible ? plan.transaction.schedulerOutput : null;
  }
  return plans;
}

/** How many transitions after `previous` can be made at `now` without a signature. */
function unsignedTransitions({ shiftStart }: SchedulerDatum, now: number, parameters: ProtocolParameters): number {
  // Transition number k assigns the shift that starts k durations later.
  const open = editionOf(parameters).unsignedFrom(shiftStart, parameters);
  return Math.floor((now - open) / parameters.shiftDurationMs);
}
