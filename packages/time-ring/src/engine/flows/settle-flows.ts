import type { EpochMs } from '@horae/clock-store';
import type { StepEndState } from '../../flow/judge-step.js';
import { reopenSteps, type Settlement, type StepEnd, type StepReads, settleSteps } from '../../flow/settle-steps.js';
import { type FlowRow, flowOfStep, type StepStanding } from '../../model/flow-rows.js';
import type { RunRow } from '../../model/run.js';
import type { StepChange } from '../../store/flow-store.js';
import type { JobTransaction } from '../../store/job-store.js';
import { type ActiveRun, rowOf } from '../node/active-run.js';
import { insertRuns } from '../node/insert-runs.js';
import type { RingNode } from '../node/ring-node.js';
import { planSteps, type StartingStep } from './write-steps.js';

/** The node, or the client, that writes the runs of steps. */
export type FlowNode = Pick<RingNode, 'owner' | 'time'> & { readonly options: { readonly nodeId: string } };

/** A step whose run is over without a further attempt. */
export interface EndedStep {
  readonly row: RunRow;
  readonly state: StepEndState;
  readonly result: unknown;
  readonly endedAt: EpochMs;
  /** The trace of the runs of the steps that start as a consequence. */
  readonly trace: string | null;
}

/** The consequences of the ends of steps. */
export interface SettledFlows {
  /** The runs of the steps that start. */
  readonly started: readonly ActiveRun[];
  /** The flows that have ended as a consequence. */
  readonly ended: readonly number[];
}

export const nothingSettled: SettledFlows = { started: [], ended: [] };

/** The flows that runs are steps of, locked, by id. Empty for runs of no flow, for which nothing is read. */
export async function lockFlowsOf(trx: JobTransaction, rows: readonly RunRow[]): Promise<Map<number, FlowRow>> {
  const ids = new Set(rows.flatMap(({ flowStep }) => (flowStep === null ? [] : [flowOfStep(flowStep)])));
  if (ids.size === 0) return new Map();
  return new Map((await trx.lockFlows([...ids].sort((a, b) => a - b))).map((flow) => [flow.id, flow]));
}

/**
 * Ends steps, and writes the runs of the steps that start as a consequence, in the same transaction. `flows` are locked. A step that starts
 * and fails at once, because its job is gone or its params are too large, ends in turn.
 */
export async function settleFlows(
  node: FlowNode,
  trx: JobTransaction,
  flows: ReadonlyMap<number, FlowRow>,
  ended: readonly EndedStep[],
  owner: string,
): Promise<SettledFlows> {
  const known = ended.filter(({ row }) => flows.has(flowOfStep(row.flowStep!)));
  if (known.length === 0) return nothingSettled;
  const results = new Map(
    known.map(({ row, state, result }) => [row.flowStep!, state === 'succeeded' ? result : null]),
  );
  const traces = new Map(known.map(({ row, trace }) => [flowOfStep(row.flowStep!), trace]));
  const at = Math.max(...known.map(({ endedAt }) => endedAt));
  const standing = new Map(flows);
  const started: ActiveRun[] = [];
  let ends = known.map(({ row, state }): StepEnd => ({ id: row.flowStep!, state, runId: row.id }));
  while (ends.length > 0) {
    const settlement = await settleSteps(stepReads(trx), ends);
    const starting = await planSteps(trx, settlement.starting, { owner, at, results, traces });
    const begun = await startSteps(node, trx, settlement, starting, results);
    started.push(...begun.runs);
    ends = begun.failed;
    for (const [id, flow] of changedFlows(standing, settlement, at)) standing.set(id, flow);
  }
  return { started, ended: await putFlows(trx, flows, standing) };
}

/** Reopens the steps of retried runs, before their next attempts are written. `flows` are locked. */
export async function reopenFlows(
  trx: JobTransaction,
  flows: ReadonlyMap<number, FlowRow>,
  rows: readonly RunRow[],
): Promise<void> {
  const retried = rows.filter(({ flowStep }) => flowStep !== null && flows.has(flowOfStep(flowStep)));
  if (retried.length === 0) return;
  const settlement = await reopenSteps(
    stepReads(trx),
    retried.map(({ flowStep, fireId }) => ({ id: flowStep!, fireId })),
  );
  await trx.changeSteps(settlement.changed);
  await putFlows(trx, flows, new Map([...flows, ...changedFlows(flows, settlement, null)]));
}

function stepReads(trx: JobTransaction): StepReads {
  return { standings: (which) => trx.lockSteps(which), linked: (which) => trx.stepLinks(which) };
}

/** Writes the runs of steps that start, and all steps that have changed. */
async function startSteps(
  node: FlowNode,
  trx: JobTransaction,
  settlement: Settlement,
  starting: readonly StartingStep[],
  results: ReadonlyMap<number, unknown>,
): Promise<{ runs: readonly ActiveRun[]; failed: StepEnd[] }> {
  const possible = starting.flatMap(({ job, run }) => (job === null || run === null ? [] : [{ job, run }]));
  const ids = await insertRuns(
    node,
    trx,
    possible.map(({ run }) => run),
  );
  const written = possible.flatMap(({ job, run }, i) => (ids[i] == null ? [] : [{ job, row: rowOf(run, ids[i]) }]));
  const runOf = new Map(written.map(({ row }) => [row.flowStep!, row.id]));
  const begins = new Set(starting.map(({ id }) => id));
  const change = (standing: StepStanding): StepChange => {
    if (begins.has(standing.id)) return { ...standing, state: 'open', runId: runOf.get(standing.id) ?? null };
    return standing.isSource && results.has(standing.id)
      ? { ...standing, result: results.get(standing.id) ?? null }
      : standing;
  };
  await trx.changeSteps(settlement.changed.map(change));
  const failed = [
    ...starting.filter(({ job }) => job === null).map(({ id }) => ({ id, runId: null })),
    ...written.filter(({ row }) => row.state === 'failed').map(({ row }) => ({ id: row.flowStep!, runId: row.id })),
  ];
  return {
    runs: written.filter(({ row }) => row.state === 'pending' && row.owner === node.owner),
    failed: failed.map(({ id, runId }): StepEnd => ({ id, state: 'failed', runId })),
  };
}

/** The flows with their new counts; over when no step is open any more. */
function* changedFlows(
  flows: ReadonlyMap<number, FlowRow>,
  settlement: Settlement,
  at: EpochMs | null,
): Generator<[number, FlowRow]> {
  for (const [id, { open, failed }] of settlement.flows) {
    const flow = flows.get(id);
    if (flow === undefined) continue;
    yield [id, judgeFlow({ ...flow, openSteps: flow.openSteps + open, failedSteps: flow.failedSteps + failed }, at)];
  }
}

/** The flow with the state that follows from its counts. */
export function judgeFlow(flow: FlowRow, at: EpochMs | null): FlowRow {
  if (flow.openSteps > 0) return { ...flow, state: 'running', endedAt: null };
  const state = flow.isCancelled ? 'killed' : flow.failedSteps > 0 ? 'failed' : 'succeeded';
  return { ...flow, state, endedAt: at };
}

/** Writes the flows that have changed, and returns those that have ended. */
async function putFlows(
  trx: JobTransaction,
  before: ReadonlyMap<number, FlowRow>,
  after: ReadonlyMap<number, FlowRow>,
): Promise<readonly number[]> {
  const changed = [...after.values()].filter((flow) => flow !== before.get(flow.id));
  await trx.putFlows(changed);
  return changed.filter(({ endedAt }) => endedAt !== null).map(({ id }) => id);
}
