import type { EpochMs } from '@horae/clock-store';
import { type FlowState, MAX_FLOW_STEPS, type StepCondition } from './flow.js';

/** A flow as it is stored. */
export interface FlowRow {
  readonly id: number;
  readonly name: string;
  readonly state: FlowState;
  /** No further step starts. */
  readonly isCancelled: boolean;
  /** Steps that are not over. */
  readonly openSteps: number;
  /** Steps that failed for good or were killed. */
  readonly failedSteps: number;
  /** How many flows are above it: 0 for a flow that was not started by a step of another. */
  readonly depth: number;
  readonly createdAt: EpochMs;
  readonly endedAt: EpochMs | null;
}

/** The state of a step: an `open` step has a run that is not over, whose state says more. */
export type StepState = 'waiting' | 'open' | 'succeeded' | 'failed' | 'killed' | 'skipped';

/** The part of a step that changes, and the counts that decide about it. */
export interface StepStanding {
  readonly id: number;
  readonly condition: StepCondition;
  readonly state: StepState;
  /** The number of preceding steps that are not over. */
  readonly openBefore: number;
  /** The number of preceding steps that are over and have not succeeded. */
  readonly missedBefore: number;
  /** The number of those that failed or were killed. */
  readonly failedBefore: number;
  /** The fire of an open step; the latest attempt of an ended step; null without a run. */
  readonly runId: number | null;
  /** Another step uses its result. */
  readonly isSource: boolean;
}

/** The part of a step that never changes. It refers to other steps of the flow by their number in it. */
export interface StepPlan {
  readonly id: number;
  readonly name: string;
  readonly jobId: number;
  /** The given parameters, without a `from` that names steps; null: the job's. */
  readonly params: readonly [unknown] | null;
  /** The steps that `from` names: one, or a list; null: none. */
  readonly sources: number | readonly number[] | null;
}

/** The numbers of the steps that come after a step. */
export interface StepLinks {
  readonly id: number;
  readonly next: readonly number[];
}

/** The state of a step, and the steps after it. */
export type LinkedStep = StepStanding & StepLinks;

/** A step as it is written with its flow. */
export type NewStep = LinkedStep & StepPlan;

/** The id of a step contains the id of its flow, so that a run with a step id also identifies its flow. */
export const IDS_PER_FLOW = 10 * MAX_FLOW_STEPS;

export function stepId(flowId: number, index: number): number {
  return flowId * IDS_PER_FLOW + index;
}

export function flowOfStep(id: number): number {
  return Math.floor(id / IDS_PER_FLOW);
}

/** The first id of a flow's steps, and the first one after them. */
export function stepIdRange(flowId: number): { readonly from: number; readonly to: number } {
  return { from: stepId(flowId, 0), to: stepId(flowId + 1, 0) };
}
