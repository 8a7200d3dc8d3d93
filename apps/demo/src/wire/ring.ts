import type { blockStrategies, misfireStrategies, routeStrategies } from 'horae/ring/strategies';
import type { CronDialectName } from './cron.js';

export const handlerNames = ['blink', 'measure', 'flaky', 'load', 'sweep', 'echo'] as const;

/** A job as the page describes it. */
export interface RingJobDraft {
  readonly name: string;
  readonly handler: (typeof handlerNames)[number];
  readonly schedule:
    | { readonly kind: 'cron'; readonly expression: string; readonly dialect: CronDialectName }
    | { readonly kind: 'fix-rate'; readonly everyMs: number }
    | { readonly kind: 'none' };
  readonly params: unknown;
  readonly misfire: (typeof misfireStrategies)[number];
  readonly route: (typeof routeStrategies)[number];
  readonly block: (typeof blockStrategies)[number];
  readonly retries: number;
}

export interface RingJobView {
  readonly id: number;
  readonly name: string;
  readonly handler: string;
  readonly schedule: string;
  readonly route: string;
  readonly block: string;
  readonly misfire: string;
  readonly state: 'STOPPED' | 'RUNNING';
  readonly stopReason: string | null;
  readonly lastAt: number | null;
  readonly nextAt: number | null;
}

export interface RingRunView {
  readonly id: number;
  readonly jobId: number;
  readonly jobName: string;
  readonly triggerType: string;
  readonly state: 'pending' | 'queued' | 'running' | 'succeeded' | 'failed' | 'killed' | 'skipped';
  readonly attempt: number;
  readonly address: string | null;
  readonly shard: string | null;
  readonly scheduleTime: number | null;
  readonly startedAt: number | null;
  readonly endedAt: number | null;
  readonly message: string | null;
}

export interface RingNodeView {
  readonly name: string;
  readonly pid: number;
  /** `here` is the process that serves this page. */
  readonly kind: 'here' | 'helper';
  readonly status: string;
}

export interface RingSnapshot {
  readonly now: number;
  readonly status: 'ok' | 'degraded' | 'stopped';
  readonly problem: string | null;
  readonly jobs: readonly RingJobView[];
  readonly runs: readonly RingRunView[];
  /** Claimed and not fired yet: the runs in the ring. */
  readonly inRing: readonly { readonly runId: number; readonly jobName: string; readonly scheduleTime: number }[];
  readonly executors: readonly { readonly address: string; readonly isOwn: boolean }[];
  readonly nodes: readonly RingNodeView[];
  readonly metrics: {
    readonly claimed: number;
    readonly fired: number;
    readonly succeeded: number;
    readonly failed: number;
    readonly killed: number;
    readonly retried: number;
    readonly misfired: number;
  };
  readonly pools: Readonly<Record<'fast' | 'slow', { readonly running: number; readonly queued: number }>>;
  /** Starts of scheduled runs by lateness; the bounds are `latenessBounds`, the last one is everything above. */
  readonly lateness: readonly number[];
}

/** Upper bounds in milliseconds. */
export const latenessBounds = [2, 5, 10, 25, 50, 100, 250, 1_000] as const;
