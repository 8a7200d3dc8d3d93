import type { StepSelection } from '../../flow/settle-steps.js';
import { type FlowRow, flowOfStep, type NewStep } from '../../model/flow-rows.js';
import type { Job } from '../../model/job.js';
import type { FlowReads, FlowWrites } from '../flow-store.js';
import { copy, type Journal, JournalledMap } from './journalled-map.js';

type Step = NewStep & { readonly result: unknown };

/** The flows of the memory store. */
export function memoryFlows(journal: Journal, jobOf: (id: number) => Job | undefined): FlowReads & FlowWrites {
  const flowRows = new JournalledMap<number, FlowRow>(journal);
  const stepRows = new JournalledMap<number, Step>(journal);
  let lastFlowId = 0;

  /** The steps of a flow by id. */
  function stepsOf(flowId: number): Step[] {
    return stepRows
      .values()
      .filter(({ id }) => flowOfStep(id) === flowId)
      .sort((a, b) => a.id - b.id);
  }

  function selected(which: StepSelection): Step[] {
    if ('flowIds' in which) return which.flowIds.flatMap(stepsOf);
    return which.ids.flatMap((id) => stepRows.get(id) ?? []);
  }

  return {
    flow: async (id) => copy(flowRows.get(id) ?? null),
    flows: async ({ state, name, limit, beforeId }) =>
      flowRows
        .values()
        .filter((flow) => state === undefined || flow.state === state)
        .filter((flow) => name === undefined || flow.name === name)
        .filter(({ id }) => beforeId === null || id < beforeId)
        .sort((a, b) => b.id - a.id)
        .slice(0, limit)
        .map(copy),
    flowsOutside: async (ids, groups) =>
      ids.filter((id) =>
        stepsOf(id).some(({ jobId }) => {
          const job = jobOf(jobId);
          return job === undefined || !groups.includes(job.executorGroup);
        }),
      ),
    flowSteps: async ({ flowId, afterId, limit }) =>
      stepsOf(flowId)
        .filter(({ id }) => id > afterId)
        .slice(0, limit)
        .map(({ id, name, state, runId }) => ({ id, name, state, runId })),
    insertFlow: async (flow) => {
      lastFlowId += 1;
      flowRows.set(lastFlowId, copy({ ...flow, id: lastFlowId }));
      return lastFlowId;
    },
    insertSteps: async (steps) => {
      for (const step of steps) stepRows.set(step.id, copy({ ...step, result: null }));
    },
    lockFlows: async (ids) =>
      [...new Set(ids)]
        .sort((a, b) => a - b)
        .flatMap((id) => flowRows.get(id) ?? [])
        .map(copy),
    putFlows: async (flows) => {
      for (const flow of flows) flowRows.set(flow.id, copy(flow));
    },
    lockSteps: async (which) => selected(which).map(standingOf),
    stepLinks: async (which) => selected(which).map((step) => ({ ...standingOf(step), next: copy(step.next) })),
    stepPlans: async (ids) =>
      selected({ ids }).map(({ id, name, jobId, params, sources }) => copy({ id, name, jobId, params, sources })),
    stepResults: async (ids) => selected({ ids }).map(({ id, name, result }) => copy({ id, name, result })),
    changeSteps: async (changes) => {
      for (const { id, state, openBefore, missedBefore, failedBefore, runId, result } of changes) {
        const step = stepRows.get(id);
        if (step === undefined) continue;
        const counts = { openBefore, missedBefore, failedBefore };
        stepRows.set(id, {
          ...step,
          ...counts,
          state,
          runId,
          result: result === undefined ? step.result : copy(result),
        });
      }
    },
    deleteFlows: async ({ endedBefore, limit }) => {
      let deleted = 0;
      const old = flowRows.values().filter(({ endedAt }) => endedAt !== null && endedAt < endedBefore);
      for (const { id } of old.sort((a, b) => a.endedAt! - b.endedAt! || a.id - b.id)) {
        const steps = stepsOf(id).slice(0, Math.max(0, limit - deleted));
        for (const step of steps) stepRows.delete(step.id);
        deleted += steps.length;
        if (deleted >= limit) return deleted;
        flowRows.delete(id);
        deleted += 1;
      }
      return deleted;
    },
  };
}

function standingOf({ id, condition, state, openBefore, missedBefore, failedBefore, runId, isSource }: Step) {
  return { id, condition, state, openBefore, missedBefore, failedBefore, runId, isSource };
}
