import { type StepStanding, stepId } from '../model/flow-rows.js';
import { judgeStep } from './judge-step.js';
import type { ParsedFlow } from './parse-flow.js';
import { type StepReads, type StepSelection, settleSteps } from './settle-steps.js';

/** The initial state of a flow. */
export interface FlowPlan {
  /** In the order of the steps; their ids are those of flow 0. */
  readonly standings: readonly StepStanding[];
  /** The numbers of the steps that start at once. */
  readonly starting: readonly number[];
  /** How many steps are not over. */
  readonly openSteps: number;
}

/** Determines which steps start with the flow, and which never can: a step that waits for a failure but has no preceding steps. */
export async function planFlow({ steps }: ParsedFlow): Promise<FlowPlan> {
  const standings = steps.map(
    ({ condition, after, isSource }, i): StepStanding => ({
      ...{ id: stepId(0, i), condition, state: 'waiting', openBefore: after.length, missedBefore: 0, failedBefore: 0 },
      ...{ runId: null, isSource },
    }),
  );
  const roots = standings.filter(({ openBefore }) => openBefore === 0);
  const never = roots.filter((standing) => judgeStep(standing) === 'skip');
  const reads: StepReads = {
    standings: async (which) => selected(standings, which),
    linked: async (which) =>
      selected(standings, which).map((standing) => ({ ...standing, next: steps[standing.id]!.next })),
  };
  const ends = never.map(({ id }) => ({ id, state: 'skipped', runId: null }) as const);
  const { changed, starting, flows } = await settleSteps(reads, ends);
  for (const standing of changed) standings[standing.id] = standing;
  const first = roots.filter((standing) => judgeStep(standing) === 'start').map(({ id }) => id);
  return {
    standings,
    starting: [...first, ...starting].sort((a, b) => a - b),
    openSteps: steps.length + (flows.get(0)?.open ?? 0),
  };
}

function selected<Row>(rows: readonly Row[], which: StepSelection): readonly Row[] {
  return 'ids' in which ? which.ids.map((id) => rows[id]!) : rows;
}
