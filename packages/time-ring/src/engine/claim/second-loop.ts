import type { EpochMs } from '@horae/clock-store';
import type { RingNode } from '../node/ring-node.js';

/** The two loops of the engine, both awake at every whole second: the pass first, then the drain. */
export interface SecondLoop {
  /** Resolves when the pass and the drain under way are over. */
  stop(): Promise<void>;
}

/** How long a drain waits for the pass of the same second: ordinary passes are over by then, and slow ones are not awaited. */
const PASS_LEAD_MS = 10;

export function startSecondLoop(
  node: RingNode,
  work: {
    /** `onRoom` requests another pass before the next second. */
    pass: { run(): Promise<void>; onRoom(listener: () => void): void };
    drain(): Promise<void>;
    /** Writes a heartbeat while a pass takes longer than a second. Does not throw. */
    heartbeat(): void;
    /** Resolves when the pass under way waits for something that does not depend on time. */
    passHeld(): Promise<void>;
    /** The time until which passes would find nothing; null: unknown. Called once after each pass. */
    idleUntil(): EpochMs | null;
  },
): SecondLoop {
  const stopping = new AbortController();
  const { signal } = stopping;
  let passing: Promise<void> | null = null;
  let draining: Promise<void> | null = null;
  /** A second began while a pass was still under way. */
  let isPassOwed = false;

  async function passes(): Promise<void> {
    do {
      isPassOwed = false;
      await work.pass.run();
    } while (isPassOwed && !signal.aborted);
    passing = null;
  }

  /** Waits for the lead of the pass that has just begun. */
  async function lead(): Promise<void> {
    if (passing !== null) {
      isPassOwed = true;
      work.heartbeat();
      return;
    }
    const held = work.passHeld();
    const begun = passes();
    passing = begun;
    const over = new AbortController();
    const limit = node.clock.sleepFor(PASS_LEAD_MS, { signal: AbortSignal.any([over.signal, signal]) }).catch(() => {});
    await Promise.race([begun, limit, held]);
    over.abort();
  }

  async function drains(): Promise<void> {
    await work.drain();
    draining = null;
  }

  /** Where time is simulated, skips passes that would find nothing. */
  async function sleep(ms: number): Promise<void> {
    const until = passing === null ? work.idleUntil() : null;
    if (until === null || node.clock.sleepIdle === undefined) return node.clock.sleepFor(ms, { signal });
    await node.clock.sleepIdle(ms, { everyMs: 1_000, idleMs: until - node.time.now(), signal });
    // The node was not stuck meanwhile.
    node.passWatch.gotOn();
  }

  async function loop(): Promise<void> {
    let next = nextSecond(node.time.now());
    while (!signal.aborted) {
      const wait = next - node.time.now();
      // A clock that was set back must not put the loop to sleep for longer than a second.
      if (wait > 1_000) next = nextSecond(node.time.now());
      if (wait > 0) {
        await sleep(Math.min(wait, 1_000)).catch(() => {});
        if (node.time.now() < next) continue;
        if (signal.aborted) return;
      }
      await lead();
      if (signal.aborted) return;
      if (draining === null) draining = drains();
      next = nextSecond(node.time.now());
    }
  }

  work.pass.onRoom(() => {
    if (passing === null && !signal.aborted) passing = passes();
  });
  const looping = loop();
  return {
    async stop() {
      stopping.abort();
      await looping;
      await passing;
      await draining;
    },
  };
}

function nextSecond(now: number): number {
  return (Math.floor(now / 1_000) + 1) * 1_000;
}
