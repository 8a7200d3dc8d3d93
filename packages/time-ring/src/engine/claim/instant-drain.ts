import type { EpochMs } from '@horae/clock-store';
import type { RingNode } from '../node/ring-node.js';
import type { RingDrain } from './ring-drain.js';

/** Drains the rings at the milliseconds inside a second at which something is due. */
export interface InstantDrain {
  /** The drain of a whole second, which arms the timer for what is due before the next. */
  drain(): Promise<void>;
  /** Something has come into the rings: the timer may have to go off sooner. */
  look(): void;
  /** Resolves when no drain of the timer is under way. */
  stop(): Promise<void>;
}

/** One timer for the next entry, whatever the number of entries; a second in which nothing is due has none. */
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

  /** What a timer that went off too soon has left is found by the look, and waited for. */
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
