import type { Registration } from '../task/registration.js';
import type { TaskSettingsByName } from '../task/task-settings.js';

/** Declares tasks and runs them. Everything else about a scheduler goes through `observe` and `control`. */
export interface Scheduler {
  /**
   * Takes the registrations as the complete list of tasks, compares them with the stored tasks, and starts polling. Resolves when the tasks
   * that are due at once have been started, or as soon as this instance stands by for another one. Rejects, before anything is changed or
   * run, with the first fault it finds.
   */
  initialize(registrations: readonly Registration[], options?: { readonly tasks?: TaskSettingsByName }): Promise<void>;
  /**
   * Ends polling and resolves when the running callbacks are over; another instance then leads at once. May be called before `initialize`,
   * twice, and from inside a callback, which it then does not wait for. At `deadlineMs` the signals of the remaining runs are aborted; runs
   * that ignore them are left for the next leader to run again.
   */
  stop(options?: { readonly deadlineMs?: number }): Promise<void>;
}
