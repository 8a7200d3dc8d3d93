import type { EpochMs } from '@horae/clock-store';
import { handIn, tooMuchHandedIn } from '../../flow/hand-in.js';
import { sourceList } from '../../flow/parse-flow.js';
import { flowOfStep, type StepPlan, stepId } from '../../model/flow-rows.js';
import type { Job } from '../../model/job.js';
import type { JobTransaction, NewRun } from '../../store/job-store.js';
import { newRun } from '../node/active-run.js';

/** A step that starts: its run, and its job; null when the job is gone. */
export interface StartingStep {
  readonly id: number;
  readonly job: Job | null;
  /** A run whose params cannot be built is written as failed. Null without a job. */
  readonly run: NewRun | null;
}

/** The facts with which the runs of steps are written. */
interface StepGrounds {
  readonly owner: string;
  readonly at: EpochMs;
  /** Results that are not written yet. */
  readonly results: ReadonlyMap<number, unknown>;
  /** By flow. */
  readonly traces: ReadonlyMap<number, string | null>;
}

/** The runs of steps whose conditions hold, with the results of earlier steps in their params. */
export async function planSteps(
  trx: JobTransaction,
  ids: readonly number[],
  { owner, at, results, traces }: StepGrounds,
): Promise<readonly StartingStep[]> {
  if (ids.length === 0) return [];
  const plans = await trx.stepPlans(ids);
  const jobs = new Map(
    (await trx.jobsByIds([...new Set(plans.map(({ jobId }) => jobId))])).map((job) => [job.id, job]),
  );
  const paramsOf = await readParams(trx, plans, results);
  return plans.map((plan) => {
    const job = jobs.get(plan.jobId) ?? null;
    const how = { owner, at, trace: traces.get(flowOfStep(plan.id)) ?? null };
    return { id: plan.id, job, run: job === null ? null : stepRun(job, plan.id, paramsOf(plan), how) };
  });
}

/** The run of a step, or a failed one if its params cannot be built. */
export function stepRun(
  job: Job,
  step: number,
  params: unknown,
  { owner, at, trace }: { owner: string; at: EpochMs; trace: string | null },
): NewRun {
  const key = { kind: 'flow-step', stepId: step } as const;
  const what = { triggerType: 'manual', scheduleTime: null, at, flowStep: step, trace, key } as const;
  const refusal = tooMuchHandedIn(params);
  if (refusal === null) return newRun(job, owner, { ...what, params });
  const failed = { state: 'failed', owner: null, code: 500, message: refusal, endedAt: at } as const;
  return { ...newRun(job, owner, { ...what, params: null }), ...failed, isLastAttempt: true };
}

/** The params of one step; undefined: the job's. */
export async function readStepParams(trx: JobTransaction, id: number): Promise<unknown> {
  const plans = await trx.stepPlans([id]);
  return plans.length === 0 ? undefined : (await readParams(trx, plans, new Map()))(plans[0]!);
}

/** Builds the params of steps from the given ones and from results. */
async function readParams(
  trx: JobTransaction,
  plans: readonly StepPlan[],
  fresh: ReadonlyMap<number, unknown>,
): Promise<(plan: StepPlan) => unknown> {
  const sourcesOf = ({ id, sources }: StepPlan) => sourceList(sources).map((index) => stepId(flowOfStep(id), index));
  const results = new Map(
    (await trx.stepResults([...new Set(plans.flatMap(sourcesOf))])).map((result) => [result.id, result]),
  );
  return (plan) =>
    handIn(plan, (index) => {
      const id = stepId(flowOfStep(plan.id), index);
      const stored = results.get(id)!;
      return fresh.has(id) ? { name: stored.name, result: fresh.get(id) } : stored;
    });
}
