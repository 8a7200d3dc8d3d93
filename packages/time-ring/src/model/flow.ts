import type { EpochMs } from '@horae/clock-store';
import type { ForeignTransaction } from './foreign-transaction.js';
import type { JobRef } from './job.js';
import type { RunState } from './run.js';

/** The state of a flow: `killed` means that it was cancelled. */
export type FlowState = 'running' | 'succeeded' | 'failed' | 'killed';

export const flowStates = ['running', 'succeeded', 'failed', 'killed'] as const satisfies readonly FlowState[];

/**
 * How the preceding steps must have ended for a step to start: all succeeded; all over and at least one failed or killed; all over.
 */
export type StepCondition = 'succeeded' | 'failed' | 'over';

export const stepConditions = ['succeeded', 'failed', 'over'] as const satisfies readonly StepCondition[];

/** One step of a flow to start. */
export interface FlowStepInput {
  /** The job that the step runs, by key or id. */
  job: JobRef;
  /**
   * Any JSON; the job's parameters when omitted. `{ from: 'a', …rest }` passes the result of step a as `from`; `{ from: ['a', 'b'] }`
   * passes the results of several steps by name. A step that has not succeeded has the result null. A `from` that names no steps is an
   * ordinary value.
   */
  params?: unknown;
  /** The names of the steps that precede it; without any it starts with the flow. */
  after?: readonly string[];
  /** 'succeeded' by default. */
  when?: StepCondition;
}

/** A flow to start: up to 10,000 steps by name. */
export interface FlowInput {
  name: string;
  steps: Readonly<Record<string, FlowStepInput>>;
}

/** Runs of jobs that start one after the other. */
export interface Flow {
  id: number;
  name: string;
  state: FlowState;
  /** The steps by name. `runId` is the latest attempt; null for a step without a run, because it is waiting or was skipped. */
  steps: Record<string, { runId: number | null; state: RunState | 'waiting' }>;
  createdAt: EpochMs;
  /** When the last step ended; null before. */
  endedAt: EpochMs | null;
}

/** Selects the flows of a list. */
export interface FlowFilter {
  state?: FlowState;
  /** The exact name. */
  name?: string;
  /**
   * Only flows whose jobs are all in these executor groups; a removed job is in none. A page may be short or empty and still have a cursor.
   */
  groups?: readonly string[];
  limit?: number;
  cursor?: string;
}

/** Flows: durable sequences of runs. */
export interface Flows {
  /**
   * Starts a flow, which is durable when the call resolves. A flow with no steps, an unknown `after` or a cycle is rejected with
   * 'bad-flow'. `fromRun` is the run whose handler starts the flow: flows that start flows may nest 10 deep. With `transaction` the flow
   * exists if and only if that transaction commits, and starts then. With `groups`, jobs outside these executor groups are rejected with
   * 'unknown-job'.
   */
  start(
    flow: FlowInput,
    options?: { fromRun?: number; transaction?: ForeignTransaction; groups?: readonly string[] },
  ): Promise<Flow>;
  /** Reads a flow. With `groups`, null unless all its jobs are in these executor groups. */
  get(id: number, options?: { groups?: readonly string[] }): Promise<Flow | null>;
  /** Lists flows, newest first. A page ends early at 20,000 steps; the cursor continues it. */
  list(options?: FlowFilter): Promise<{ flows: readonly Flow[]; cursor: string | null }>;
  /** Skips waiting steps and kills open runs. False when the flow was already over. */
  cancel(id: number): Promise<boolean>;
  /** Resolves when the flow is over, on any node. Waits without limit unless `timeoutMs` is given, then rejects with 'wait-timeout'. */
  wait(id: number, options?: { timeoutMs?: number }): Promise<Flow>;
}

export const MAX_FLOW_STEPS = 10_000;
/** The maximum number of entries of all `after` lists together. */
export const MAX_FLOW_LINKS = 1_000_000;
/** How deep flows that start flows may nest. */
export const MAX_FLOW_DEPTH = 10;
