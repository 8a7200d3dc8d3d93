import type { Clock } from '@horae/clock-store';
import type { Logger } from '../../model/logger.js';

/** Detects that the passes of a node make no progress. */
export interface PassWatch {
  /** Called when a pass has written something or has succeeded. */
  gotOn(): void;
  /** Whether the node is stuck; called at every second that finds a pass under way. */
  look(): boolean;
  /** As of the last look: a stuck node writes no heartbeat and dispatches nothing, so that other nodes take over its runs. */
  readonly isStuck: boolean;
}

/** A node is stuck after this many leases without progress: slow passes are over by then, and so is any lock of a lost node. */
const MAX_LEASES = 2;

export function createPassWatch(clock: Pick<Clock, 'monotonicMs'>, leaseMs: number, log: Logger): PassWatch {
  let lastMs = clock.monotonicMs();
  let isStuck = false;
  return {
    gotOn() {
      lastMs = clock.monotonicMs();
      if (isStuck) log.info({}, 'Passes go on, and so do the heartbeat and the dispatch');
      isStuck = false;
    },
    look() {
      const silentMs = Math.round(clock.monotonicMs() - lastMs);
      if (silentMs <= MAX_LEASES * leaseMs || isStuck) return isStuck;
      isStuck = true;
      log.error(
        { silentMs, leaseMs },
        `No pass has got on for ${MAX_LEASES} leases: the heartbeat stops and nothing more is handed out until one does, so that other nodes take over. Is the database, or the way to it, stuck?`,
      );
      return true;
    },
    get isStuck() {
      return isStuck;
    },
  };
}
