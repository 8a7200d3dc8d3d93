import { type Clock, checkedTime } from './clock.js';

/** A wall-clock appointment is checked again at least this often, so that a step of the wall clock is noticed in time. */
const MAX_NAP_MS = 60_000;

const clock: Clock = Object.freeze({
  now: () => Date.now(),
  monotonicMs: () => performance.now(),
  async sleepUntil(at: number, options?: { signal?: AbortSignal }) {
    checkedTime('at', at);
    await sleep(() => at - Date.now(), options?.signal);
  },
  async sleepFor(ms: number, options?: { signal?: AbortSignal }) {
    const end = performance.now() + checkedTime('ms', ms);
    await sleep(() => end - performance.now(), options?.signal);
  },
});

/**
 * The clock of the machine. Sleeps may be of any length, `Infinity` included; a step of the wall clock is noticed by `sleepUntil` within 60
 * s and ignored by `sleepFor`. A sleep that is already due resolves on the next turn of the event loop, so that a loop of empty sleeps
 * starves no other work. A pending sleep keeps the process alive.
 */
export function systemClock(): Clock {
  return clock;
}

// Taken at load time: the manual clock keeps working in a test that replaces the timers of the runtime.
const { setImmediate: realImmediate, setTimeout: realTimeout } = globalThis;

/** Resolves after one turn of the event loop: every promise that was ready has settled by then. For the manual clock. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    realImmediate(resolve);
  });
}

const TURNS_AT_ONCE = 8;

/**
 * Moments at which all promises have settled, at a fraction of the price of whole turns of the event loop: Node empties the
 * queue of promises between any two immediates, so several are queued at once. For the manual clock.
 */
export class LullSupply {
  #waiting: (() => void) | undefined;
  #queued = 0;

  /** How many of the immediates that are pending belong to this supply. */
  get queued(): number {
    return this.#queued;
  }

  /** Resolves when all promises have settled. One caller at a time. */
  next(): Promise<void> {
    if (this.#queued === 0) {
      this.#queued = TURNS_AT_ONCE;
      for (let turn = 0; turn < TURNS_AT_ONCE; turn++) realImmediate(this.#tick);
    }
    return new Promise((resolve) => {
      this.#waiting = resolve;
    });
  }

  readonly #tick = () => {
    this.#queued -= 1;
    const resume = this.#waiting;
    this.#waiting = undefined;
    resume?.();
  };
}

/** Resolves after about a millisecond, in which the processor is free for other processes. For the manual clock. */
export function shortRest(): Promise<void> {
  return new Promise((resolve) => {
    realTimeout(resolve, 1);
  });
}

function sleep(leftMs: () => number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) {
      reject(signal.reason);
      return;
    }
    let timer: NodeJS.Timeout | undefined;
    let turn: NodeJS.Immediate | undefined;
    const onAbort = () => {
      clearTimeout(timer);
      clearImmediate(turn);
      reject(signal?.reason);
    };
    const done = () => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    };
    const nap = () => {
      const left = leftMs();
      if (left > 0) timer = setTimeout(wake, Math.min(Math.ceil(left), MAX_NAP_MS));
      else turn = setImmediate(done);
    };
    // Timers may fire a fraction early, and the wall clock may have stepped back: look again before resolving.
    const wake = () => (leftMs() > 0 ? nap() : done());
    signal?.addEventListener('abort', onAbort, { once: true });
    nap();
  });
}
