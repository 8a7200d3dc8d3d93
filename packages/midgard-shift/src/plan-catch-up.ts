import { checkedInteger } from './midgard-input-error.js';
import { checkState, type MidgardState, type SchedulerDatum } from './midgard-state.js';
import { type Plan, planNext } from './plan-transaction.js';
import { checkParameters, type ProtocolParameters } from './protocol-parameters.js';
import { turnsUntil } from './timetable.js';

/** The most plans of one call. Who is further behind submits them and asks again. */
const MOST_PLANS = 1_000_000;

/**
 * What it takes to catch up: one unsigned plan for each shift that has ended at `now` without being taken, each valid in the state that the
 * ones before it leave. Ends with a plan that is not possible where a registrant has to be activated first, or nobody is active. Empty
 * when nothing was missed and before Init. The shift that is running at `now` is not among them: its operator can still sign.
 */
export function planCatchUp(state: MidgardState, now: number, parameters: ProtocolParameters): Plan[] {
  checkParameters(parameters);
  checkState(state);
  checkedInteger('now', now);
  const plans: Plan[] = [];
  let previous: SchedulerDatum | null = state.scheduler;
  if (previous === null) return plans;
  const missed = Math.min(MOST_PLANS, turnsUntil(previous, now, parameters) - 1);
  while (plans.length < missed && previous !== null) {
    const plan = planNext(state, previous, now, null, parameters);
    plans.push(plan);
    previous = plan.possible ? plan.transaction.schedulerOutput : null;
  }
  return plans;
}
