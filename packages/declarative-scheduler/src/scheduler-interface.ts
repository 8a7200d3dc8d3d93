import type { Registration } from './registration.js';

/** Declares tasks and runs them. Everything else about a scheduler is seen through `observe`. */
export interface Scheduler {
  /**
   * Takes the registrations as the whole truth, compares them with what is stored, and starts polling. Resolves when the tasks
   * that are due at once have been started. Rejects, before anything is changed or run, with the first fault it finds.
   */
  initialize(registrations: readonly Registration[]): Promise<void>;
  /**
   * Ends polling and resolves when the running callbacks are over. Fine before `initialize`, twice, and from inside a callback,
   * which it then does not wait for. At `deadlineMs` the signals of what still runs are aborted, and what ignores them is left
   * behind to be run again by the next `initialize`.
   */
  stop(options?: { readonly deadlineMs?: number }): Promise<void>;
}
