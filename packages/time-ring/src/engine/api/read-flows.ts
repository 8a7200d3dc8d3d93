import type { Flow } from '../../model/flow.js';
import type { FlowRow, StepState } from '../../model/flow-rows.js';
import { isOver, type RunRow, type RunState } from '../../model/run.js';
import type { StepView } from '../../store/flow-store.js';
import type { JobReads } from '../../store/job-store.js';

const MAX_STEPS_PER_READ = 2_000;

/** The public form of a flow. */
export async function readFlow(reads: JobReads, row: FlowRow): Promise<Flow> {
  const steps: Flow['steps'] = {};
  for await (const page of stepPages(reads, row.id)) {
    const runs = await openRuns(reads, page);
    for (const { name, state, runId } of page) {
      const run = state === 'open' ? runs.get(runId!) : undefined;
      steps[name] = { runId: run?.id ?? runId, state: run?.state ?? shownState(state) };
    }
  }
  return shownFlow(row, steps);
}

export function shownFlow({ id, name, state, createdAt, endedAt }: FlowRow, steps: Flow['steps']): Flow {
  return { id, name, state, steps, createdAt, endedAt };
}

/** The public state of a step without reading its run. */
export function shownState(state: StepState): RunState | 'waiting' {
  return state === 'open' ? 'pending' : state;
}

/** The runs of open steps that are not over. */
export async function openRunIds(reads: JobReads, flowId: number): Promise<readonly number[]> {
  const ids: number[] = [];
  for await (const page of stepPages(reads, flowId)) {
    const fires = page.flatMap(({ state, runId }) => (state === 'open' && runId !== null ? [runId] : []));
    for (const { id, state } of await reads.latestOfFires(fires)) if (!isOver(state)) ids.push(id);
  }
  return ids;
}

async function* stepPages(reads: JobReads, flowId: number): AsyncGenerator<readonly StepView[]> {
  for (let afterId = 0; ; ) {
    const page = await reads.flowSteps({ flowId, afterId, limit: MAX_STEPS_PER_READ });
    yield page;
    if (page.length < MAX_STEPS_PER_READ) return;
    afterId = page.at(-1)!.id;
  }
}

/** The latest attempts of open steps by their fire; of several shards the first that is not over. */
async function openRuns(reads: JobReads, page: readonly StepView[]): Promise<ReadonlyMap<number, RunRow>> {
  const fires = page.flatMap(({ state, runId }) => (state === 'open' && runId !== null ? [runId] : []));
  const runs = new Map<number, RunRow>();
  for (const row of await reads.latestOfFires(fires)) {
    const known = runs.get(row.fireId);
    if (known === undefined || (isOver(known.state) && !isOver(row.state))) runs.set(row.fireId, row);
  }
  return runs;
}
