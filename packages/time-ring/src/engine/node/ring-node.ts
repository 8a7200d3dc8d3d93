import type { Clock, Emitter, EpochMs, Random } from '@horae/clock-store';
import type { AlertRule } from '../../model/alert.js';
import type { RingEvents, RingMetrics } from '../../model/events.js';
import type { EngineStep } from '../../model/interface.js';
import type { Logger } from '../../model/logger.js';
import type { JobStore, NodeHeartbeat } from '../../store/job-store.js';
import type { TracingSlot } from '../../workbench/run-tracing.js';
import type { AlertRecords } from '../alerts/alert-records.js';
import type { Liveness } from './liveness.js';
import type { PassWatch } from './pass-watch.js';
import type { ResolvedOptions } from './ring-options.js';
import type { RingTime } from './ring-time.js';
import type { RunStatistics } from './run-statistics.js';

/** The event that ends waits for flows. */
export interface FlowEnds {
  readonly ended: { readonly flowId: number };
}

/** The state that the parts of a node share. */
export interface RingNode {
  /** The id that owns runs and leases; new with every start. */
  readonly owner: string;
  readonly options: ResolvedOptions;
  readonly store: JobStore;
  readonly clock: Clock;
  readonly time: RingTime;
  readonly random: Random;
  readonly liveness: Liveness;
  readonly passWatch: PassWatch;
  /** Checks the heartbeats of all nodes for clocks that differ. */
  watchHeartbeats(beats: readonly NodeHeartbeat[], now: EpochMs): void;
  readonly log: Logger;
  readonly emitter: Emitter<RingEvents>;
  /** Emits the flows that this node's writes have ended. */
  readonly flowEnds: Emitter<FlowEnds>;
  readonly alerts: AlertRecords;
  /** The alert rules of groups, as of the last pass. */
  groupAlerts: ReadonlyMap<string, readonly AlertRule[]>;
  readonly statistics: RunStatistics;
  readonly tracing: TracingSlot;
  readonly counters: Omit<RingMetrics, 'ringSize' | 'pools'>;
  /** Calls the fault tests' hook; undefined when there is nothing to wait for. */
  step(step: EngineStep): Promise<void> | undefined;
  readonly startedAt: EpochMs;
  /** The number of other nodes that were alive at the last pass. */
  peers: number;
  /** The owner ids of all other nodes at the last pass, and of those that listen to all events. */
  others: readonly string[];
  listeners: ReadonlySet<string>;
  /** This node has a listener to all events. */
  isListening: boolean;
  /** A stop was requested: runs written from now on are for other nodes. */
  isStopping: boolean;
}

/** This node's heartbeat. */
export function heartbeatOf(node: Pick<RingNode, 'owner' | 'options' | 'isListening'>, beatAt: EpochMs): NodeHeartbeat {
  return { owner: node.owner, nodeId: node.options.nodeId, beatAt, listens: node.isListening };
}

/** A run due within this time belongs to this node at once: no pass would be certain to find it in time. */
export function nearMs({ preReadMs }: Pick<ResolvedOptions, 'preReadMs'>): number {
  return Math.max(preReadMs, 1_000);
}

export function noCounts(): RingNode['counters'] {
  return {
    passes: 0,
    passesFailed: 0,
    claimed: 0,
    fired: 0,
    misfired: 0,
    succeeded: 0,
    failed: 0,
    killed: 0,
    retried: 0,
    refused: 0,
  };
}
