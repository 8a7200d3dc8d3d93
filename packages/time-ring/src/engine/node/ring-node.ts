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

/** What whoever waits for flows hears. */
export interface FlowEnds {
  readonly ended: { readonly flowId: number };
}

/** What the parts of a node share. */
export interface RingNode {
  /** New with every start: what owns runs and leases. */
  readonly owner: string;
  readonly options: ResolvedOptions;
  readonly store: JobStore;
  readonly clock: Clock;
  readonly time: RingTime;
  readonly random: Random;
  readonly liveness: Liveness;
  readonly passWatch: PassWatch;
  /** Looks at the heartbeats of all nodes for clocks that differ. */
  watchHeartbeats(beats: readonly NodeHeartbeat[], now: EpochMs): void;
  readonly log: Logger;
  readonly emitter: Emitter<RingEvents>;
  /** The flows that are over by what this node has written. */
  readonly flowEnds: Emitter<FlowEnds>;
  readonly alerts: AlertRecords;
  /** The rules that groups bring along, as of the last pass. */
  groupAlerts: ReadonlyMap<string, readonly AlertRule[]>;
  readonly statistics: RunStatistics;
  readonly tracing: TracingSlot;
  readonly counters: Omit<RingMetrics, 'ringSize' | 'pools'>;
  /** Calls the fault tests' hook; undefined when there is nothing to wait for. */
  step(step: EngineStep): Promise<void> | undefined;
  readonly startedAt: EpochMs;
  /** Other nodes that were alive at the last pass. */
  peers: number;
  /** A stop has been asked for: what is written from now on is for other nodes. */
  isStopping: boolean;
}

/** What is due so soon is this node's at once: no pass before it would be sure to find it. */
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
