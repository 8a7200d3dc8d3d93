import type { EpochMs } from '@horae/clock-store';
import type { RingNode } from '../node/ring-node.js';
import type { RingDrain } from './ring-drain.js';

/** Drains the rings at the milliseconds within a second at which entries are due. */
export interface InstantDrain {
  /** Drains at a whole second and arms the timer for entries due before the next. */
  drain(): Promise<void>;
  /** Called when the rings have new entries: the timer may have to fire sooner. */
  look(): void;
  /** Resolves when no drain by the timer is under way. */
  stop(): Promise<void>;
}

/** One timer for the next entry, whatever the number of entries; no timer in a second without due entries. */
export function createInstantDrain(
  node: Pick<RingNode, 'time' | 'clock'>,
  { rings, drain }: { rings: readonly { nextWithinSecond(now: EpochMs): EpochMs | null }[]; drain: RingDrain },
): InstantDrain {
  let nap: { readonly until: EpochMs; readonly wake: AbortController } | null = null;
  let draining: Promise<void> = Promise.resolve();
  let isStopped = false;

  function look(): void {
    if (isStopped) return;
    const now = node.time.now();
    const times = rings.map((ring) => ring.nextWithinSecond(now)).filter((at) => at !== null);
    const next = Math.min(...times);
    if (times.length === 0 || (nap !== null && nap.until <= next && nap.until > now)) return;
    nap?.wake.abort();
    const mine = { until: next, wake: new AbortController() };
    nap = mine;
    node.clock.sleepFor(next - now, { signal: mine.wake.signal }).then(
      () => {
        if (nap === mine) nap = null;
        if (!isStopped) draining = drainAndLook();
      },
      () => {},
    );
  }

  /** When the timer fired too soon, `look` finds the remaining entries and waits for them. */
  async function drainAndLook(): Promise<void> {
    await drain();
    look();
  }

  return {
    drain: drainAndLook,
    look,
    async stop() {
      isStopped = true;
      nap?.wake.abort();
      await draining;
    },
  };
}
