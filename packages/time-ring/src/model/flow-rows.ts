import type { EpochMs } from '@horae/clock-store';
import { type FlowState, MAX_FLOW_STEPS, type StepCondition } from './flow.js';

/** A flow as it is stored. */
export interface FlowRow {
  readonly id: number;
  readonly name: string;
  readonly state: FlowState;
  /** Nothing more of it starts. */
  readonly isCancelled: boolean;
  /** Steps that are not over. */
  readonly openSteps: number;
  /** Steps that failed for good or were killed. */
  readonly failedSteps: number;
  /** How many flows are above it: 0 for one that no flow's step has started. */
  readonly depth: number;
  readonly createdAt: EpochMs;
  readonly endedAt: EpochMs | null;
}

/** Where a step stands: `open` has a run that is not over, which knows more. */
export type StepState = 'waiting' | 'open' | 'succeeded' | 'failed' | 'killed' | 'skipped';

/** The part of a step that changes, and what decides about it. */
export interface StepStanding {
  readonly id: number;
  readonly condition: StepCondition;
  readonly state: StepState;
  /** Steps before it that are not over. */
  readonly openBefore: number;
  /** Steps before it that are over and have not succeeded. */
  readonly missedBefore: number;
  /** Those of them that failed or were killed. */
  readonly failedBefore: number;
  /** The fire of an open step; the latest attempt of one that is over; null without a run. */
  readonly runId: number | null;
  /** Another step asks for its result. */
  readonly isSource: boolean;
}

/** The part of a step that never changes. Steps of the same flow are named by their number in it. */
export interface StepPlan {
  readonly id: number;
  readonly name: string;
  readonly jobId: number;
  /** As they were given, without a `from` that names steps; null: the job's. */
  readonly params: readonly [unknown] | null;
  /** The steps that `from` names: one, or a list; null: none. */
  readonly sources: number | readonly number[] | null;
}

/** The numbers of the steps that come after a step. */
export interface StepLinks {
  readonly id: number;
  readonly next: readonly number[];
}

/** Where a step stands, and what comes after it. */
export type LinkedStep = StepStanding & StepLinks;

/** A step as it is written with its flow. */
export type NewStep = LinkedStep & StepPlan;

/** Steps have the id of their flow in theirs, so that a run that knows its step knows its flow. */
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
