import type { EpochMs } from '@horae/clock-store';
import type { AlertEvent } from './alert.js';
import type { Job, MisfireStrategy } from './job.js';
import type { Run, WaitingReason } from './run.js';

/** A live executor. */
export interface ExecutorInfo {
  group: string;
  address: string;
  kind: 'local' | 'remote';
  registeredAt: EpochMs;
  beatAt: EpochMs;
  /** The handlers it has announced; null: it has announced none and counts as having all. */
  handlers: readonly string[] | null;
  /** The node whose process it runs in; null for a remote executor. */
  nodeId: string | null;
  /** Whether the ring calls it; the breaker of a local executor is always closed. */
  breaker: 'closed' | 'open' | 'half-open';
}

/** The events of a ring, by name. Events about runs are emitted after the record is durable. */
export interface RingEvents {
  'job-added': { job: Job };
  'job-updated': { job: Job };
  'job-started': { job: Job };
  'job-stopped': { job: Job };
  'job-removed': { jobId: number };
  'job-misfired': { jobId: number; strategy: MisfireStrategy; firstMissed: EpochMs; lastMissed: EpochMs };
  'run-waiting': { run: Run; reason: WaitingReason };
  'run-started': { run: Run };
  'run-succeeded': { run: Run };
  'run-failed': { run: Run };
  'run-killed': { run: Run };
  'result-refused': { runId: number; reason: 'already-over' | 'stale-owner' };
  'executor-registered': ExecutorInfo;
  'executor-removed': ExecutorInfo;
  'executor-lost': ExecutorInfo;
  'pass-completed': { at: EpochMs; claimed: number; misfired: number; tookMs: number };
  'pass-failed': { at: EpochMs; error: unknown };
  'bucket-acquired': { bucket: number; epoch: number };
  'bucket-lost': { bucket: number; epoch: number };
  'pool-filled': { pool: 'fast' | 'slow'; queued: number };
  /** Emitted on the node that delivered the message. */
  'alert-sent': AlertEvent;
  /** Emitted when a day of tries has failed. */
  'alert-failed': AlertEvent;
}

/** Every event name, for code that forwards all of them. */
export const ringEventNames = [
  'job-added',
  'job-updated',
  'job-started',
  'job-stopped',
  'job-removed',
  'job-misfired',
  'run-waiting',
  'run-started',
  'run-succeeded',
  'run-failed',
  'run-killed',
  'result-refused',
  'executor-registered',
  'executor-removed',
  'executor-lost',
  'pass-completed',
  'pass-failed',
  'bucket-acquired',
  'bucket-lost',
  'pool-filled',
  'alert-sent',
  'alert-failed',
] as const satisfies readonly (keyof RingEvents)[];

/** Events that concern only the node they happen on. */
const nodeEventNames = ['pass-completed', 'pass-failed', 'bucket-acquired', 'bucket-lost', 'pool-filled'] as const;

/** The names of the events about runs, jobs, executors and alerts, which `events.onAll` emits for all nodes. */
export type SharedEventName = Exclude<keyof RingEvents, (typeof nodeEventNames)[number]>;

export const sharedEventNames: readonly SharedEventName[] = ringEventNames.filter(isShared);

export function isShared(name: keyof RingEvents): name is SharedEventName {
  return !nodeEventNames.some((other) => other === name);
}

/** An event of any node. */
export type SharedEvent = {
  [Name in SharedEventName]: {
    readonly name: Name;
    readonly event: RingEvents[Name];
    /** The label of the node it happened on. */
    readonly nodeId: string;
    readonly at: EpochMs;
  };
}[SharedEventName];

/** Counters since the start of this node, and its current load. */
export interface RingMetrics {
  passes: number;
  passesFailed: number;
  /** Runs of type 'schedule' that were written. */
  claimed: number;
  /** Runs handed to an executor. */
  fired: number;
  /** 'job-misfired' events. */
  misfired: number;
  succeeded: number;
  failed: number;
  killed: number;
  retried: number;
  /** Results that arrived too late or from the wrong node. */
  refused: number;
  ringSize: number;
  pools: Record<'fast' | 'slow', { running: number; queued: number }>;
}

/** The health of this node. */
export interface RingHealth {
  /** `degraded`: the last pass failed, or none has been made for 5 s. */
  status: 'ok' | 'degraded' | 'stopped';
  nodeId: string;
  claim: 'lock-row' | 'buckets';
  lastPassAt: EpochMs | null;
  /** Owned buckets, ascending; none in mode lock-row. */
  buckets: readonly number[];
  /** The number of waiting runs in the whole ring, by reason, as of this node's last pass. */
  waiting: Readonly<Record<WaitingReason, number>>;
  /** A description of the problem; null when there is none. */
  problem: string | null;
}
