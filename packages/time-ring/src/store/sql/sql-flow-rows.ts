import type { FlowState, StepCondition } from '../../model/flow.js';
import type { FlowRow, NewStep, StepPlan, StepStanding, StepState } from '../../model/flow-rows.js';
import { nameKey } from './sql-calendar-rows.js';
import type { BatchColumn } from './sql-row-batch.js';
import { readJson, readText, storedJson, storedText } from './sql-stored-text.js';

/** A row of horae_ring_flows. */
export interface StoredFlow {
  readonly id: number;
  readonly name: string;
  readonly state: string;
  readonly cancelled: number;
  readonly open_steps: number;
  readonly failed_steps: number;
  readonly depth: number;
  readonly created_at: number;
  readonly ended_at: number | null;
}

/** A row of horae_ring_flow_steps, of which queries read some columns. */
export interface StoredStep {
  readonly id: number;
  readonly name: string;
  readonly job_id: number;
  readonly step_condition: string;
  readonly state: string;
  readonly open_before: number;
  readonly missed_before: number;
  readonly failed_before: number;
  readonly run_id: number | null;
  readonly is_source: number;
  readonly params: string | null;
  readonly sources: string | null;
  readonly next_steps: string | null;
  readonly result: string | null;
}

export function packFlow(flow: Omit<FlowRow, 'id'>): Readonly<Record<string, unknown>> {
  return {
    name_key: nameKey(flow.name),
    name: storedText(flow.name),
    state: flow.state,
    cancelled: flow.isCancelled ? 1 : 0,
    open_steps: flow.openSteps,
    failed_steps: flow.failedSteps,
    depth: flow.depth,
    created_at: flow.createdAt,
    ended_at: flow.endedAt,
  };
}

export function unpackFlow(row: StoredFlow): FlowRow {
  return {
    id: row.id,
    name: readText(row.name),
    state: row.state as FlowState,
    isCancelled: row.cancelled === 1,
    openSteps: row.open_steps,
    failedSteps: row.failed_steps,
    depth: row.depth,
    createdAt: row.created_at,
    endedAt: row.ended_at,
  };
}

export const stepColumns: readonly BatchColumn[] = [
  { name: 'id', kind: 'id' },
  { name: 'name', kind: 'text' },
  { name: 'job_id', kind: 'id' },
  { name: 'step_condition', kind: 'key' },
  { name: 'state', kind: 'key' },
  { name: 'open_before', kind: 'integer' },
  { name: 'missed_before', kind: 'integer' },
  { name: 'failed_before', kind: 'integer' },
  { name: 'run_id', kind: 'id' },
  { name: 'is_source', kind: 'integer' },
  { name: 'params', kind: 'text' },
  { name: 'sources', kind: 'text' },
  { name: 'next_steps', kind: 'text' },
];

/** A new step in the order of `stepColumns`. */
export function packStep(step: NewStep): readonly unknown[] {
  return [
    ...[step.id, storedText(step.name), step.jobId, step.condition, step.state],
    ...[step.openBefore, step.missedBefore, step.failedBefore, step.runId, step.isSource ? 1 : 0],
    // In a list, to distinguish null from absent.
    ...[storedJson(step.params), storedJson(step.sources), step.next.length === 0 ? null : storedJson(step.next)],
  ];
}

export function unpackStanding(
  row: Pick<
    StoredStep,
    'id' | 'step_condition' | 'state' | 'open_before' | 'missed_before' | 'failed_before' | 'run_id' | 'is_source'
  >,
): StepStanding {
  return {
    id: row.id,
    condition: row.step_condition as StepCondition,
    state: row.state as StepState,
    openBefore: row.open_before,
    missedBefore: row.missed_before,
    failedBefore: row.failed_before,
    runId: row.run_id,
    isSource: row.is_source === 1,
  };
}

export function unpackPlan(row: Pick<StoredStep, 'id' | 'name' | 'job_id' | 'params' | 'sources'>): StepPlan {
  return {
    id: row.id,
    name: readText(row.name),
    jobId: row.job_id,
    params: readJson(row.params) as StepPlan['params'],
    sources: readJson(row.sources) as StepPlan['sources'],
  };
}
