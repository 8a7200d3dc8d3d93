import type { RingNode } from '../node/ring-node.js';

/** The two loops of the engine, both awake at every whole second: the pass first, then the drain. */
export interface SecondLoop {
  /** Resolves when what was under way is over. */
  stop(): Promise<void>;
}

/** How long a drain waits for the pass of the same second: ordinary ones are over by then, slow ones are not waited for. */
const PASS_LEAD_MS = 10;

export function startSecondLoop(
  node: RingNode,
  work: {
    /** `onRoom` asks for another pass before the next second. */
    pass: { run(): Promise<void>; onRoom(listener: () => void): void };
    drain(): Promise<void>;
    /** Writes a heartbeat while a pass takes longer than a second. Does not throw. */
    heartbeat(): void;
    /** Resolves when the pass under way waits for something that no time brings about. */
    passHeld(): Promise<void>;
  },
): SecondLoop {
  const stopping = new AbortController();
  const { signal } = stopping;
  let passing: Promise<void> | null = null;
  let draining: Promise<void> | null = null;
  /** A second has come while a pass was still under way. */
  let isPassOwed = false;

  async function passes(): Promise<void> {
    do {
      isPassOwed = false;
      await work.pass.run();
    } while (isPassOwed && !signal.aborted);
    passing = null;
  }

  /** Gives the pass that began now its lead. */
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

  async function loop(): Promise<void> {
    let next = nextSecond(node.time.now());
    while (!signal.aborted) {
      const wait = next - node.time.now();
      // A clock that was set back must not put the loop to sleep for longer than a second.
      if (wait > 1_000) next = nextSecond(node.time.now());
      if (wait > 0) {
        await node.clock.sleepFor(Math.min(wait, 1_000), { signal }).catch(() => {});
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
