import { handIn } from '../../flow/hand-in.js';
import { type ParsedFlow, parseFlow } from '../../flow/parse-flow.js';
import { type FlowPlan, planFlow } from '../../flow/plan-flow.js';
import { badOption, TimeRingError } from '../../model/errors.js';
import { type Flow, type FlowFilter, type Flows, flowStates } from '../../model/flow.js';
import { type FlowRow, type NewStep, stepId } from '../../model/flow-rows.js';
import type { Runs } from '../../model/interface.js';
import type { Job } from '../../model/job.js';
import { readPage } from '../../model/page.js';
import { UNOWNED } from '../../model/run.js';
import type { JobTransaction } from '../../store/job-store.js';
import { type RunTracing, traceText } from '../../workbench/run-tracing.js';
import type { RunIntake } from '../dispatch/intake.js';
import { judgeFlow } from '../flows/settle-flows.js';
import { stepRun } from '../flows/write-steps.js';
import { type ActiveRun, rowOf } from '../node/active-run.js';
import { insertRuns } from '../node/insert-runs.js';
import type { OwnedRuns } from '../node/owned-runs.js';
import { createFlowCancels } from './cancel-flow.js';
import { checkParams } from './check-params.js';
import { flowDepth, flowJobs } from './flow-grounds.js';
import { createFlowWaits } from './flow-waits.js';
import { isId } from './job-errors.js';
import { readFlow, shownFlow, shownState } from './read-flows.js';
import type { ServiceNode } from './service-node.js';

/** A page ends at this many steps; the cursor continues it. */
const MAX_STEPS_PER_PAGE = 20_000;
const MAX_FLOWS_PER_READ = 100;
/** At most this many flows are read for one page restricted to groups. */
const MAX_FLOWS_PER_PAGE = 5_000;

export interface FlowServiceParts {
  readonly owned: Pick<OwnedRuns, 'markUncertain'>;
  readonly intake: Pick<RunIntake, 'accept'>;
  readonly runs: Pick<Runs, 'cancel'>;
}

/** The flows of a ring, whichever nodes own their runs. */
export function createFlowService(node: ServiceNode, { owned, intake, runs }: FlowServiceParts): Flows {
  const { store, time } = node;

  async function find(id: number): Promise<FlowRow> {
    const row = isId(id) ? await store.flow(id) : null;
    if (row !== null) return row;
    throw new TimeRingError('unknown-flow', `There is no flow ${String(id)}; flows.list shows those there are`, {
      field: 'id',
      value: id,
    });
  }

  const start: Flows['start'] = async (input, { fromRun, transaction, groups } = {}) => {
    const parsed = parseFlow(input);
    for (const { params } of parsed.steps) if (params !== null) checkParams(params[0], node.options.maxParamsBytes);
    const foreign = transaction === undefined ? null : await store.inTransaction(transaction);
    const reads = foreign ?? store;
    const depth = await flowDepth(reads, fromRun);
    const jobs = await flowJobs(reads, parsed, groups);
    const grounds = { plan: await planFlow(parsed), jobs, depth };
    return traced(node.tracing.current, parsed, (trace) =>
      foreign === null
        ? write(parsed, { ...grounds, trace, owner: node.owner })
        : // The flow becomes visible when the caller commits: its runs are unowned until then, and any node takes them.
          writeFlow(node, foreign, parsed, { ...grounds, trace, owner: UNOWNED }).then(({ flow }) => flow),
    );
  };

  async function write(parsed: ParsedFlow, grounds: FlowGrounds): Promise<Flow> {
    const written = await store
      .transaction((trx) => writeFlow(node, trx, parsed, grounds))
      .catch((error: unknown) => {
        owned.markUncertain();
        throw error;
      });
    intake.accept(
      written.runs.filter(({ row }) => row.owner === node.owner),
      time.now(),
    );
    return written.flow;
  }

  async function list({ state, name, groups, ...page }: FlowFilter = {}): ReturnType<Flows['list']> {
    if (state !== undefined && !flowStates.includes(state)) throw badOption('state', state, flowStates.join(', '));
    const { limit, cursor } = readPage(page, 1_000);
    const flows: Flow[] = [];
    let steps = 0;
    let last = cursor;
    for (let seen = 0; seen < MAX_FLOWS_PER_PAGE; ) {
      const count = groups === undefined ? Math.min(MAX_FLOWS_PER_READ, limit + 1 - flows.length) : MAX_FLOWS_PER_READ;
      const rows = await store.flows({ state, name, limit: count, beforeId: last });
      const outside = await outsideOf(rows, groups);
      for (const row of rows) {
        if (flows.length >= limit || steps >= MAX_STEPS_PER_PAGE) return { flows, cursor: String(last) };
        last = row.id;
        if (outside.has(row.id)) continue;
        const flow = await readFlow(store, row);
        flows.push(flow);
        steps += Object.keys(flow.steps).length;
      }
      if (rows.length < count) return { flows, cursor: null };
      seen += rows.length;
    }
    return { flows, cursor: String(last) };
  }

  async function outsideOf(rows: readonly FlowRow[], groups: readonly string[] | undefined): Promise<Set<number>> {
    if (groups === undefined) return new Set();
    return new Set(
      await store.flowsOutside(
        rows.map(({ id }) => id),
        groups,
      ),
    );
  }

  return {
    start,
    list,
    async get(id, { groups } = {}) {
      const row = isId(id) ? await store.flow(id) : null;
      if (row === null || (await outsideOf([row], groups)).has(id)) return null;
      return readFlow(store, row);
    },
    cancel: createFlowCancels(node, { find, runs }),
    wait: createFlowWaits(node, find),
  };
}

/** Starts a flow, inside a span if tracing is on. */
async function traced(
  tracing: RunTracing | null,
  flow: ParsedFlow,
  start: (trace: string | null) => Promise<Flow>,
): Promise<Flow> {
  if (tracing === null) return start(null);
  const span = tracing.flow(flow);
  try {
    const started = await start(traceText(span.trace, null));
    span.end({ id: started.id });
    return started;
  } catch (error) {
    span.end({ error });
    throw error;
  }
}

/** The facts with which a flow is written. */
interface FlowGrounds {
  readonly plan: FlowPlan;
  /** The jobs in the order of the steps. */
  readonly jobs: readonly Job[];
  readonly depth: number;
  readonly trace: string | null;
  /** The owner of the runs that start at once. */
  readonly owner: string;
}

/** Writes a flow, its steps, and the runs of the steps that start at once. */
async function writeFlow(
  node: ServiceNode,
  trx: JobTransaction,
  { name, steps }: ParsedFlow,
  { plan, jobs, depth, trace, owner }: FlowGrounds,
): Promise<{ flow: Flow; runs: readonly ActiveRun[] }> {
  const at = node.time.now();
  const begun: Omit<FlowRow, 'id'> = {
    ...{ name, state: 'running', isCancelled: false, openSteps: plan.openSteps, failedSteps: 0, depth },
    ...{ createdAt: at, endedAt: null },
  };
  const { id: _, ...row } = judgeFlow({ ...begun, id: 0 }, at);
  const id = await trx.insertFlow(row);
  const nothing = (index: number) => ({ name: steps[index]!.name, result: null });
  const planned = plan.starting.map((i) => ({
    job: jobs[i]!,
    run: stepRun(jobs[i]!, stepId(id, i), handIn(steps[i]!, nothing), { owner, at, trace }),
  }));
  const runIds = await insertRuns(
    node,
    trx,
    planned.map(({ run }) => run),
  );
  const runs = planned.map(({ job, run }, i) => ({ job, row: rowOf(run, runIds[i]!) }));
  const runOf = new Map(runs.map((run) => [run.row.flowStep!, run.row.id]));
  const written = steps.map(({ name, params, sources, next }, i): NewStep => {
    const own = stepId(id, i);
    const begins = runOf.has(own) ? ({ state: 'open', runId: runOf.get(own)! } as const) : {};
    return { ...plan.standings[i]!, id: own, name, jobId: jobs[i]!.id, params, sources, next, ...begins };
  });
  await trx.insertSteps(written);
  const shown = Object.fromEntries(
    written.map((step) => [step.name, { runId: step.runId, state: shownState(step.state) }]),
  );
  return { flow: shownFlow({ ...row, id }, shown), runs };
}
