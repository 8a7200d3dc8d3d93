import type { EngineStep } from '../../model/interface.js';

/** Calls the hook of fault tests. */
export interface EngineSteps {
  /** Undefined when there is nothing to wait for; rejects when the hook throws. */
  call(step: EngineStep): Promise<void> | undefined;
  /** Whether a pass is inside its hook. */
  readonly isPassInHook: boolean;
  /** Resolves when a pass waits inside its hook for something else to happen. */
  passHeld(): Promise<void>;
}

/** A hook that has not returned after this many turns of the microtask queue is waiting for something. */
const PATIENCE_TURNS = 100;

export function createEngineSteps(onStep: ((step: EngineStep) => void | Promise<void>) | undefined): EngineSteps {
  let waiting: (() => void)[] = [];
  let isPassInHook = false;

  async function watch(isDone: () => boolean): Promise<void> {
    for (let turn = 0; turn < PATIENCE_TURNS; turn++) await null;
    if (isDone()) return;
    for (const resolve of waiting) resolve();
    waiting = [];
  }

  async function passHook(returned: Promise<void>): Promise<void> {
    let isDone = false;
    isPassInHook = true;
    void watch(() => isDone);
    try {
      await returned;
    } finally {
      isDone = true;
      isPassInHook = false;
    }
  }

  return {
    call(step) {
      if (onStep === undefined) return undefined;
      try {
        const returned = onStep(step);
        if (returned === undefined) return undefined;
        return step === 'claim' || step === 'claimed' ? passHook(returned) : Promise.resolve(returned);
      } catch (error) {
        return Promise.reject(error);
      }
    },
    get isPassInHook() {
      return isPassInHook;
    },
    passHeld: () => new Promise((resolve) => waiting.push(resolve)),
  };
}
