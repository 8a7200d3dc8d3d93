import type { EpochMs } from '@horae/clock-store';
import type { StepSelection } from '../flow/settle-steps.js';
import type { FlowState } from '../model/flow.js';
import type { FlowRow, LinkedStep, NewStep, StepPlan, StepStanding } from '../model/flow-rows.js';

/** Which flows `flows` lists, highest id first. */
export interface FlowQuery {
  readonly state?: FlowState | undefined;
  readonly name?: string | undefined;
  readonly limit: number;
  /** Only ids below it; null begins at the newest. */
  readonly beforeId: number | null;
}

/** The public part of a step. */
export type StepView = Pick<StepStanding, 'id' | 'state' | 'runId'> & Pick<StepPlan, 'name'>;

/** The result of a step. */
export type StepResult = Pick<StepPlan, 'id' | 'name'> & { readonly result: unknown };

/** The new state of a step. `result` is written only when it is present. */
export type StepChange = StepStanding & { readonly result?: unknown };

/** Reads of flows that lock nothing. */
export interface FlowReads {
  flow(id: number): Promise<FlowRow | null>;
  flows(query: FlowQuery): Promise<readonly FlowRow[]>;
  /** Those of the flows that have a step whose job is in none of the groups or was removed. */
  flowsOutside(ids: readonly number[], groups: readonly string[]): Promise<readonly number[]>;
  /** The steps of a flow in the order in which they were given, above the id `afterId`, at most `limit`. */
  flowSteps(query: { flowId: number; afterId: number; limit: number }): Promise<readonly StepView[]>;
}

/**
 * The operations of a transaction on flows. A transaction that changes steps first locks their flow and writes its row, so that two members
 * of a cluster which do not see each other's locks cannot both succeed.
 */
export interface FlowWrites {
  /** Inserts a flow and returns its id; ids ascend. */
  insertFlow(flow: Omit<FlowRow, 'id'>): Promise<number>;
  insertSteps(steps: readonly NewStep[]): Promise<void>;
  /** Locked, by id; unknown ids are left out. */
  lockFlows(ids: readonly number[]): Promise<readonly FlowRow[]>;
  putFlows(flows: readonly FlowRow[]): Promise<void>;
  /** Locked; in no particular order; unknown ids are left out. */
  lockSteps(which: StepSelection): Promise<readonly StepStanding[]>;
  /** Also locked, with the numbers of the steps after them. */
  stepLinks(which: StepSelection): Promise<readonly LinkedStep[]>;
  stepPlans(ids: readonly number[]): Promise<readonly StepPlan[]>;
  stepResults(ids: readonly number[]): Promise<readonly StepResult[]>;
  changeSteps(changes: readonly StepChange[]): Promise<void>;
  /** Deletes flows that ended before `endedBefore`, with their steps: at most `limit` rows. Returns the number of rows. */
  deleteFlows(query: { endedBefore: EpochMs; limit: number }): Promise<number>;
}
