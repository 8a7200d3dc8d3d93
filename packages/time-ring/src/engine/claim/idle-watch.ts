import type { EpochMs } from '@horae/clock-store';
import type { Glance } from '../../store/glance.js';
import type { OwnedRuns } from '../node/owned-runs.js';
import { nearMs, type RingNode } from '../node/ring-node.js';
import { idleUntil } from './idle-until.js';

/**
 * Determines for how long passes would find nothing, where time is simulated. It is of no use with a real clock, since other processes
 * may write to the database at any moment.
 */
export interface IdleWatch {
  /** Called after a pass that found what `glance` shows; null: it may have found more. */
  look(glance: Glance | null): Promise<void>;
  /** The time until which no further pass is needed; null: until the next second. Each result is returned once. */
  take(): EpochMs | null;
}

export function createIdleWatch(
  node: RingNode,
  {
    owned,
    rings,
    retention,
  }: { owned: OwnedRuns; rings: readonly { readonly size: number }[]; retention: { readonly dueAt: EpochMs } },
): IdleWatch {
  const { options, store, time } = node;
  let until: EpochMs | null = null;
  /** The earliest end of a run, and when it was read: further ends are later, unless the clock is set back. */
  let oldest: { readonly endedAt: EpochMs | null; readonly readAt: EpochMs } | null = null;

  async function retentionFindsAt(now: EpochMs): Promise<EpochMs | null> {
    const findsAt = () => (oldest?.endedAt == null ? null : oldest.endedAt + options.keepRunsMs + 1);
    const isKnown = oldest !== null && oldest.readAt <= now && now < (findsAt() ?? now);
    if (!isKnown) oldest = { endedAt: await store.oldestEnd(), readAt: now };
    return findsAt();
  }

  return {
    async look(glance) {
      until = null;
      const isAlone = node.peers === 0 && !node.isListening;
      const hasNothing = owned.size === 0 && rings.every(({ size }) => size === 0);
      if (node.clock.sleepIdle === undefined || glance === null || !isAlone || !hasNothing) return;
      const now = time.now();
      const upcoming = await store.upcoming();
      const { preReadMs } = options;
      const findsAt = await retentionFindsAt(now);
      until = idleUntil({
        ...{ now, upcoming, preReadMs, nearMs: nearMs(options) },
        retention: { dueAt: retention.dueAt, findsAt },
      });
    },
    take() {
      const taken = until;
      until = null;
      return taken;
    },
  };
}
