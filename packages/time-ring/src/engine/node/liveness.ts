import type { Clock, EpochMs } from '@horae/clock-store';
import type { NodeHeartbeat } from '../../store/job-store.js';

/** Decides whether a node is dead. */
export interface Liveness {
  /** Whether the node has written no heartbeat for longer than a lease. */
  isDead(beat: NodeHeartbeat, now: EpochMs): boolean;
}

/**
 * A heartbeat in the future dates from before the clock was set back. A living node replaces it within a second or two; a node whose
 * heartbeat has not changed for a lease of elapsed time is dead, whatever the clocks say.
 */
export function createLiveness(clock: Pick<Clock, 'monotonicMs'>, leaseMs: number): Liveness {
  const ahead = new Map<string, { beatAt: EpochMs; seenMs: number }>();
  return {
    isDead({ owner, beatAt }, now) {
      if (beatAt <= now) {
        ahead.delete(owner);
        return now - beatAt > leaseMs;
      }
      const elapsedMs = clock.monotonicMs();
      const known = ahead.get(owner);
      if (known?.beatAt === beatAt) return elapsedMs - known.seenMs > leaseMs;
      ahead.set(owner, { beatAt, seenMs: elapsedMs });
      return false;
    },
  };
}
