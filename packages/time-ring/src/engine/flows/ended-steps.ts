import type { StepEndState } from '../../flow/judge-step.js';
import { type FlowRow, flowOfStep } from '../../model/flow-rows.js';
import { isOver, type RunRow } from '../../model/run.js';
import type { JobTransaction, RunEnd } from '../../store/job-store.js';
import { latestAttempts } from '../../store/run-query.js';
import type { Outcome } from '../../workbench/assignment.js';
import { readTrace, traceText } from '../../workbench/run-tracing.js';
import type { EndedStep } from './settle-flows.js';

interface Ended {
  readonly row: RunRow;
  readonly end: RunEnd;
  readonly hints: Pick<Outcome, 'trace'>;
}

/** The worst first: a step that runs on several executors ends as its worst shard does. */
const worst: readonly StepEndState[] = ['killed', 'failed', 'skipped', 'succeeded'];

/**
 * The steps that are over with these runs, which no attempt follows. A step that runs on several executors is over with the last shard;
 * its result is that of the first shard.
 */
export async function endedSteps(trx: JobTransaction, runs: readonly Ended[]): Promise<readonly EndedStep[]> {
  const steps = new Map<number, EndedStep>();
  for (const { row, end, hints } of runs) {
    if (row.flowStep === null || steps.has(row.flowStep)) continue;
    const { endedAt } = end;
    // What follows has the start of the flow as parent too, and is linked to the step before it.
    const trace = traceText(readTrace(row.trace).parent, hints.trace ?? null);
    if (row.shardTotal === 1) {
      steps.set(row.flowStep, { row, state: end.state, result: end.result ?? null, endedAt, trace });
      continue;
    }
    const latest = latestAttempts(await trx.lockFire(row.fireId));
    if (!latest.every(({ state }) => isOver(state))) continue;
    const first = latest.find(({ shardIndex }) => shardIndex === 0) ?? row;
    const state = worst.find((each) => latest.some((shard) => shard.state === each))!;
    steps.set(row.flowStep, { row: first, state, result: first.result ?? null, endedAt, trace });
  }
  return [...steps.values()];
}

/** Whether the run is a step of a flow that was cancelled: no further attempt follows it. */
export function isOfCancelled(flows: ReadonlyMap<number, FlowRow>, { flowStep }: RunRow): boolean {
  return flowStep !== null && flows.get(flowOfStep(flowStep))?.isCancelled === true;
}
