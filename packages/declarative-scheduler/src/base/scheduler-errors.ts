import { HoraeError } from '@horae/clock-store';
import { thrownWords } from '../task/shown-value.js';

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
    super(`The task store failed to ${operation}: ${thrownWords(cause)}`, { operation, cause }, { cause });
  }
}

/** A call names a task that is not registered. */
export class UnknownTaskError extends HoraeError<{ taskName: string }> {
  readonly code: string = 'unknown-task';

  constructor(taskName: string) {
    super(`No task named ${JSON.stringify(taskName)} is registered: use one of the names that tasks() lists`, {
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

/** `initialize` was called with `instances: 'one'` while another instance leads the namespace. */
export class NamespaceBusyError extends HoraeError<{ namespace: string; host: string; pid: number }> {
  readonly code: string = 'namespace-busy';

  constructor(details: { namespace: string; host: string; pid: number }) {
    const { namespace, host, pid } = details;
    super(
      `The namespace "${namespace}" is already led by process ${pid} on ${host}: stop it, use another namespace, or set instances: 'standby'`,
      details,
    );
  }
}

/** A method of `control` was called on a scheduler that does not lead: it stands by, or is not initialized. */
export class NotLeadingError extends HoraeError<{ role: 'standby' | null }> {
  readonly code: string = 'not-leading';

  constructor(role: 'standby' | null) {
    const state = role === null ? 'is not initialized' : 'stands by while another instance leads';
    super(`This scheduler ${state}: only the leader runs and changes tasks`, { role });
  }
}

/** `runNow` was called for a task that is running or about to run. */
export class TaskRunningError extends HoraeError<{ taskName: string }> {
  readonly code: string = 'task-running';

  constructor(taskName: string) {
    super(`Task ${JSON.stringify(taskName)} is running, and no task runs twice at once`, { taskName });
  }
}
