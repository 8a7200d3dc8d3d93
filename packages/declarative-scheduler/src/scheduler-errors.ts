import { HoraeError } from '@horae/clock-store';

/** `initialize` was called on a scheduler that is initializing, running or stopping. */
export class SchedulerAlreadyActiveError extends HoraeError<{ currentState: 'initializing' | 'running' }> {
  readonly code: string = 'scheduler-already-active';

  constructor(currentState: 'initializing' | 'running') {
    super(`Cannot initialize scheduler: scheduler is already ${currentState}`, { currentState });
  }
}

/** The store could not be opened, read or changed while initializing. Nothing was changed; the original error is the cause. */
export class TaskStoreError extends HoraeError<{ operation: string; cause: unknown }> {
  readonly code: string = 'task-store-failed';

  constructor(operation: string, cause: unknown) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    super(`The task store failed to ${operation}: ${reason}`, { operation, cause }, { cause });
  }
}

/** An option of `createScheduler` or `stop` that cannot be used. */
export class SchedulerOptionError extends HoraeError<{ option: string; value: unknown }> {
  readonly code: string = 'bad-scheduler-option';
}

/** A question about a task that is not registered. */
export class UnknownTaskError extends HoraeError<{ taskName: string }> {
  readonly code: string = 'unknown-task';

  constructor(taskName: string) {
    super(`No task named ${JSON.stringify(taskName)} is registered: ask for one of the names that tasks() gives`, {
      taskName,
    });
  }
}

/** The reason of a run's abort signal, and the failure it is recorded with. */
export class TaskTimeoutError extends HoraeError<{ taskName: string; timeoutMs: number }> {
  readonly code: string = 'task-timeout';

  constructor(taskName: string, timeoutMs: number) {
    super(`Task ${JSON.stringify(taskName)} ran longer than its limit of ${timeoutMs} ms`, { taskName, timeoutMs });
  }
}

/** The reason of a run's abort signal when `stop` reached its deadline. */
export class SchedulerStoppingError extends HoraeError<Record<string, never>> {
  readonly code: string = 'scheduler-stopping';

  constructor() {
    super('The scheduler is stopping and its deadline has passed', {});
  }
}
