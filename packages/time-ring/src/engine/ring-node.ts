import type { Clock, Emitter, EpochMs, Random } from '@horae/clock-store';
import type { Logger } from '../logger.js';
import type { RingEvents, RingMetrics } from '../ring-events.js';
import type { JobStore } from '../store/job-store.js';
import type { EngineStep } from '../time-ring-interface.js';
import type { ResolvedOptions } from './ring-options.js';
import type { RingTime } from './ring-time.js';
import type { Silence } from './silence.js';

/** What the parts of a node share. */
export interface RingNode {
  /** New with every start: what owns runs and leases. */
  readonly owner: string;
  readonly options: ResolvedOptions;
  readonly store: JobStore;
  readonly clock: Clock;
  readonly time: RingTime;
  readonly random: Random;
  readonly silence: Silence;
  readonly log: Logger;
  readonly emitter: Emitter<RingEvents>;
  readonly counters: Omit<RingMetrics, 'ringSize' | 'pools'>;
  /** Calls the fault tests' hook; undefined when there is nothing to wait for. */
  step(step: EngineStep): Promise<void> | undefined;
  readonly startedAt: EpochMs;
  /** A stop has been asked for: what is written from now on is for other nodes. */
  isStopping: boolean;
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
