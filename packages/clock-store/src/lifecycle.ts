/** The work that a lifecycle starts and stops. Both functions are called one at a time, never overlapping. */
export interface LifecycleWork {
  /** Begins the work and returns when it is running. `signal` is aborted as soon as a stop is requested. */
  start?(signal: AbortSignal): Promise<void> | void;
  /** Ends the work and returns when nothing of it is left. Called only after `start` returned. */
  stop?(): Promise<void> | void;
}

/** The state of a lifecycle. `stopping` also covers a stop that waits for a start in progress. */
export type LifecycleState = 'idle' | 'starting' | 'running' | 'stopping' | 'stopped';

/** An object that starts and stops; `await using` stops it. */
export interface Lifecycle extends AsyncDisposable {
  readonly state: LifecycleState;
  /** Resolves when running. May be called twice; during a stop it waits and then starts again; a failed start may be retried. */
  start(): Promise<void>;
  /** Resolves when stopped. May be called before the start, twice and concurrently. Rejects with what the stop work threw. */
  stop(): Promise<void>;
}

/** Makes `start` and `stop` safe to call in any order and at the same time. `Symbol.asyncDispose` is the same as `stop()`. */
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
    // The callers of `stop` receive what the stop threw.
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
