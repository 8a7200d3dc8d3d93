import type { Clock } from '@horae/clock-store';
import type { ManualClock } from '@horae/clock-store/testing';

/** A machine of a simulation: its clock is off by some amount, it can be held up, and it can lose its power. */
export interface SimulatedMachine {
  readonly clock: Clock;
  readonly isDead: boolean;
  /** Nothing on it goes on before `ms` have passed. */
  stall(ms: number): void;
  /** Nothing on it ever goes on. */
  crash(): void;
  /** Resolves when something on it may go on. */
  awake(): Promise<void>;
}

export function createMachine(base: ManualClock, skewMs: number): SimulatedMachine {
  let isDead = false;
  let stalledUntil = 0;

  async function awake(): Promise<void> {
    for (;;) {
      if (isDead) await new Promise(() => {});
      const leftMs = stalledUntil - base.monotonicMs();
      if (leftMs <= 0) return;
      await base.sleepFor(leftMs);
    }
  }

  return {
    clock: {
      now: () => base.now() + skewMs,
      monotonicMs: () => base.monotonicMs(),
      async sleepUntil(at, options) {
        await base.sleepUntil(at - skewMs, options);
        await awake();
      },
      async sleepFor(ms, options) {
        await base.sleepFor(ms, options);
        await awake();
      },
    },
    get isDead() {
      return isDead;
    },
    stall(ms) {
      stalledUntil = Math.max(stalledUntil, base.monotonicMs() + ms);
    },
    crash() {
      isDead = true;
    },
    awake,
  };
}
