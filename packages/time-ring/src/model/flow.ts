import type { EpochMs } from '@horae/clock-store';
import type { ForeignTransaction } from './foreign-transaction.js';
import type { JobRef } from './job.js';
import type { RunState } from './run.js';

/** Where a flow stands: `killed` is a flow that was cancelled. */
export type FlowState = 'running' | 'succeeded' | 'failed' | 'killed';

export const flowStates = ['running', 'succeeded', 'failed', 'killed'] as const satisfies readonly FlowState[];

/**
 * How the steps before a step must have ended for it to start: all succeeded; all over and at least one failed or killed; all over.
 */
export type StepCondition = 'succeeded' | 'failed' | 'over';

export const stepConditions = ['succeeded', 'failed', 'over'] as const satisfies readonly StepCondition[];

/** One step of a flow that is to be started. */
export interface FlowStepInput {
  /** The job whose run the step is, by key or id. */
  job: JobRef;
  /**
   * Any JSON; the job's when not given. `{ from: 'a', …rest }` hands in the result of step a as `from`, `{ from: ['a', 'b'] }` those of
   * several by name. Null stands for the result of a step that has not succeeded. A `from` that names no steps is an ordinary value.
   */
  params?: unknown;
  /** The steps that come before it; none: it starts with the flow. */
  after?: readonly string[];
  /** 'succeeded' by default. */
  when?: StepCondition;
}

/** A flow that is to be started: up to 10,000 steps by name. */
export interface FlowInput {
  name: string;
  steps: Readonly<Record<string, FlowStepInput>>;
}

/** Runs of jobs that start one after the other. */
export interface Flow {
  id: number;
  name: string;
  state: FlowState;
  /** `runId` is the latest attempt; null for a step that has no run, because it waits or was skipped. */
  steps: Record<string, { runId: number | null; state: RunState | 'waiting' }>;
  createdAt: EpochMs;
  /** When the last step was over; null before. */
  endedAt: EpochMs | null;
}

/** Which flows a list has. */
export interface FlowFilter {
  state?: FlowState;
  /** The whole name. */
  name?: string;
  /** Only flows whose jobs are all in these executor groups; a job that is gone is in none. A page may be short, or empty, and have a cursor. */
  groups?: readonly string[];
  limit?: number;
  cursor?: string;
}

/** Flows: several runs, one after another, durable. */
export interface Flows {
  /**
   * Starts a flow; durable when it resolves. No steps, an unknown `after` or a cycle: 'bad-flow'. `fromRun` is the run whose handler starts
   * it: flows that start flows may do so 10 deep. With `transaction` the flow exists if and only if that commits, and starts then. With
   * `groups`, jobs outside of these executor groups are 'unknown-job'.
   */
  start(
    flow: FlowInput,
    options?: { fromRun?: number; transaction?: ForeignTransaction; groups?: readonly string[] },
  ): Promise<Flow>;
  /** With `groups`, null unless all its jobs are in these executor groups. */
  get(id: number, options?: { groups?: readonly string[] }): Promise<Flow | null>;
  /** Newest first. A page ends early when it holds 20,000 steps; the rest comes with the cursor. */
  list(options?: FlowFilter): Promise<{ flows: readonly Flow[]; cursor: string | null }>;
  /** Waiting steps are skipped, open runs killed. False when the flow was already over. */
  cancel(id: number): Promise<boolean>;
  /** Resolves when the flow is over, wherever its runs are. No limit without `timeoutMs`; at it, 'wait-timeout'. */
  wait(id: number, options?: { timeoutMs?: number }): Promise<Flow>;
}

export const MAX_FLOW_STEPS = 10_000;
/** All entries of all `after` together. */
export const MAX_FLOW_LINKS = 1_000_000;
/** How deep flows may start flows. */
export const MAX_FLOW_DEPTH = 10;
