/** What a package starts and stops. Both functions are called one at a time, never overlapping. */
export interface LifecycleWork {
  /** Begins the work and returns when it is running. `signal` is aborted as soon as a stop is asked for. */
  start?(signal: AbortSignal): Promise<void> | void;
  /** Ends the work and returns when nothing of it is left. Called only after `start` returned. */
  stop?(): Promise<void> | void;
}

/** Where a lifecycle stands. `stopping` also covers a stop that waits for a start in progress. */
export type LifecycleState = 'idle' | 'starting' | 'running' | 'stopping' | 'stopped';

/** A thing that starts and stops; `await using` stops it. */
export interface Lifecycle extends AsyncDisposable {
  readonly state: LifecycleState;
  /** Resolves when running. Twice is fine; during a stop it waits for it and starts anew; a failed start may be tried again. */
  start(): Promise<void>;
  /** Resolves when stopped. Before the start, twice and concurrently is fine. Rejects with what the stop work threw. */
  stop(): Promise<void>;
}

/** Makes `start` and `stop` safe to call in any order and at the same time. `stop()` and `Symbol.asyncDispose` are one thing. */
export function createLifecycle(work: LifecycleWork): Lifecycle {
  let state: LifecycleState = 'idle';
  let starting: Promise<void> | undefined;
  let stopping: Promise<void> | undefined;
  let abort = new AbortController();

  async function begin(): Promise<void> {
    state = 'starting';
    abort = new AbortController();
    try {
      await work.start?.(abort.signal);
      if (!abort.signal.aborted) state = 'running';
    } catch (error) {
      starting = undefined;
      if (stopping === undefined) state = 'stopped';
      throw error;
    }
  }

  async function end(started: Promise<void>): Promise<void> {
    state = 'stopping';
    abort.abort(new LifecycleStopped());
    try {
      const hasStarted = await started.then(
        () => true,
        () => false,
      );
      if (hasStarted) await work.stop?.();
    } finally {
      state = 'stopped';
      starting = undefined;
      stopping = undefined;
    }
  }

  function start(): Promise<void> {
    if (starting !== undefined && stopping === undefined) return starting;
    // What the stop threw is told to those who asked for the stop.
    if (stopping !== undefined) return stopping.catch(() => {}).then(start);
    starting = begin();
    return starting;
  }

  function stop(): Promise<void> {
    if (stopping !== undefined) return stopping;
    if (starting === undefined) {
      if (state === 'idle') state = 'stopped';
      return Promise.resolve();
    }
    stopping = end(starting);
    return stopping;
  }

  return {
    get state() {
      return state;
    },
    start,
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

/** The reason with which a lifecycle aborts its signal; not a failure. */
class LifecycleStopped extends Error {
  override readonly name = 'AbortError';

  constructor() {
    super('Stopped');
  }
}
