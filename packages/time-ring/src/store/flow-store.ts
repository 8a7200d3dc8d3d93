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

/** What is shown of a step. */
export type StepView = Pick<StepStanding, 'id' | 'state' | 'runId'> & Pick<StepPlan, 'name'>;

/** What a step has given. */
export type StepResult = Pick<StepPlan, 'id' | 'name'> & { readonly result: unknown };

/** What becomes of a step. `result` is written when it is given. */
export type StepChange = StepStanding & { readonly result?: unknown };

/** Reads of flows that hold nothing. */
export interface FlowReads {
  flow(id: number): Promise<FlowRow | null>;
  flows(query: FlowQuery): Promise<readonly FlowRow[]>;
  /** Those of the flows that have a step whose job is in none of the groups, or is gone. */
  flowsOutside(ids: readonly number[], groups: readonly string[]): Promise<readonly number[]>;
  /** The steps of a flow in the order in which they were given, above the id `afterId`, at most `limit`. */
  flowSteps(query: { flowId: number; afterId: number; limit: number }): Promise<readonly StepView[]>;
}

/**
 * What a transaction does with flows. Whoever changes steps holds their flow first and writes its row, so that two members of a cluster
 * which do not see each other's locks cannot both succeed.
 */
export interface FlowWrites {
  /** Gives the id; ids ascend. */
  insertFlow(flow: Omit<FlowRow, 'id'>): Promise<number>;
  insertSteps(steps: readonly NewStep[]): Promise<void>;
  /** Held, by id; unknown ids are left out. */
  lockFlows(ids: readonly number[]): Promise<readonly FlowRow[]>;
  putFlows(flows: readonly FlowRow[]): Promise<void>;
  /** Held; in no particular order; unknown ids are left out. */
  lockSteps(which: StepSelection): Promise<readonly StepStanding[]>;
  /** Held too, with what comes after them. */
  stepLinks(which: StepSelection): Promise<readonly LinkedStep[]>;
  stepPlans(ids: readonly number[]): Promise<readonly StepPlan[]>;
  stepResults(ids: readonly number[]): Promise<readonly StepResult[]>;
  changeSteps(changes: readonly StepChange[]): Promise<void>;
  /** Deletes flows that ended before `endedBefore`, with their steps: at most `limit` rows. Gives the number of rows. */
  deleteFlows(query: { endedBefore: EpochMs; limit: number }): Promise<number>;
}
