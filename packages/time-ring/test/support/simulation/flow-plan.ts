import type { Random } from '@horae/clock-store';
import { type FlowInput, type StepCondition, stepConditions } from '../../../src/model/flow.js';
import { oneOf } from './history-plan.js';

/** The jobs that steps of simulated flows are runs of. */
export const flowJobs = [
  { key: 'plain', name: 'plain', handler: 'work', retries: 0 },
  { key: 'tough', name: 'tough', handler: 'work', retries: 2, retry: { kind: 'fixed', delayMs: 300 } },
] as const;

/** A random flow of a few steps, some of which hand in results. */
export function planFlowInput(random: Random): FlowInput {
  const count = 2 + random.below(7);
  const steps = Array.from({ length: count }, (_, i): [string, FlowInput['steps'][string]] => {
    const earlier = Array.from({ length: i }, (_, before) => `s${before}`);
    const after = earlier.filter(() => random.below(3) === 0);
    const from = after.length > 0 && random.below(2) === 0 ? { params: { from: after, i } } : {};
    const single = after.length > 0 && random.below(4) === 0 ? { params: { from: oneOf(random, after) } } : {};
    const when = after.length === 0 ? 'succeeded' : oneOf<StepCondition>(random, [...stepConditions, 'succeeded']);
    return [`s${i}`, { job: oneOf(random, flowJobs).key, after, when, ...from, ...single }];
  });
  return { name: 'simulated', steps: Object.fromEntries(steps) };
}
