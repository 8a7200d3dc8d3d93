import { HoraeError } from '@horae/clock-store';
import { NotLeadingError, TaskRunningError, TaskStoreError, UnknownTaskError } from '../base/scheduler-errors.js';
import { type ActiveTask, planLook } from '../session/active-task.js';
import type { Session } from '../session/session.js';
import { LeaseLostError } from '../store/lease.js';
import { createRegistrationParser } from '../task/parse-registrations.js';
import { type Registration, tracedRegistration } from '../task/registration.js';
import type { TaskRecord } from '../task/task-record.js';
import type { TaskSettings } from '../task/task-settings.js';
import { newRecord, resume } from '../task/task-transitions.js';
import { type Inside, insideOf } from './inside.js';
import type { Scheduler } from './scheduler-interface.js';

/**
 * Manual operations on a scheduler. Each change is durable when its promise resolves. An unknown name rejects with `UnknownTaskError`, a
 * scheduler that stands by or is stopped with `NotLeadingError`, a failing store with `TaskStoreError`.
 */
export interface Control {
  /**
   * Starts a task now, a paused one too, and resolves when it has started; its next occurrence stays due. Rejects with `TaskRunningError`
   * while it runs. Waits for a free slot when `concurrency` is reached.
   */
  runNow(taskName: string): Promise<void>;
  /** Prevents scheduled starts of the task until `resume`, across restarts too. A run under way continues. */
  pause(taskName: string): Promise<void>;
  /** Ends a pause. Occurrences that came due meanwhile are not made up; a pending retry still runs. */
  resume(taskName: string): Promise<void>;
  /** Drops a pending retry: the task waits for its next occurrence. False when none was pending. */
  cancelRetry(taskName: string): Promise<boolean>;
  /** Registers one more task, checked as `initialize` does. The list of the next `initialize` still decides which tasks exist. */
  add(registration: Registration, options?: TaskSettings): Promise<void>;
  /** Unregisters a task and deletes its record. A run under way finishes, and nothing of it is recorded. */
  remove(taskName: string): Promise<void>;
}

/** The controls of a scheduler that `createScheduler` made. */
export function control(scheduler: Scheduler): Control {
  const inside = insideOf(scheduler, 'control');
  return {
    runNow: async (taskName) => runNow(inside, taskName),
    async pause(taskName) {
      await change(
        inside,
        taskName,
        'TaskPaused',
        ({ paused }) => !paused,
        (record) => ({ ...record, paused: true }),
      );
    },
    async resume(taskName) {
      const now = inside.settings.clock.now();
      await change(
        inside,
        taskName,
        'TaskResumed',
        ({ paused }) => paused,
        (record) => resume(record, now),
      );
    },
    cancelRetry: (taskName) =>
      change(
        inside,
        taskName,
        'TaskRetryCancelled',
        ({ pendingRetryUntil }) => pendingRetryUntil !== null,
        (record) => ({ ...record, pendingRetryUntil: null }),
      ),
    add: async (registration, options) => add(inside, registration, options),
    remove: async (taskName) => remove(inside, taskName),
  };
}

/** The session of a scheduler that leads. */
function leading({ membership }: Inside): Session {
  const member = membership();
  const session = member?.session;
  if (member?.role !== 'leader' || session == null || session.isStopping) {
    throw new NotLeadingError(member?.role === 'standby' ? 'standby' : null);
  }
  return session;
}

function find(session: Session, taskName: string): ActiveTask {
  const task = session.tasks.get(taskName);
  if (task === undefined) throw new UnknownTaskError(taskName);
  return task;
}

async function runNow(inside: Inside, taskName: string): Promise<void> {
  // In turn: a start is either recorded or not, never halfway.
  const { started } = await inTurn(inside, 'start the task', async (session) => {
    const task = find(session, taskName);
    if (session.isRunning(task) || task.request !== null) throw new TaskRunningError(taskName);
    const started = new Promise<void>((resolve, failed) => {
      task.request = { started: resolve, failed };
    });
    session.replan(task, () => planLook(task));
    return { started };
  });
  await started;
}

/** Changes the record of a task if `applies` returns true, and reports it; resolves with whether it did. */
function change(
  inside: Inside,
  taskName: string,
  event: 'TaskPaused' | 'TaskResumed' | 'TaskRetryCancelled',
  applies: (record: TaskRecord) => boolean,
  changed: (record: TaskRecord) => TaskRecord,
): Promise<boolean> {
  return inTurn(inside, `change the task ${taskName}`, async (session) => {
    const task = find(session, taskName);
    if (!applies(task.record)) return false;
    await session.ledger.commit([{ task, change: changed }]);
    inside.events.emit(event, { taskName });
    return true;
  });
}

function add(inside: Inside, registration: unknown, options: TaskSettings | undefined): Promise<void> {
  const session = leading(inside);
  const parse = createRegistrationParser(inside.settings);
  const declared = parse(registration, 0, session.tasks, () => options);
  return inTurn(inside, 'add a task', async () => {
    // Another addition of the same name may have come first.
    parse(registration, 0, session.tasks, () => options);
    const record = newRecord(declared, inside.settings.clock.now());
    const task = session.add({ declared, record, origin: 'new' });
    try {
      await session.ledger.commit([{ task, change: () => record }]);
    } catch (error) {
      session.tasks.delete(declared.name);
      throw error;
    }
    session.reportPolling();
    inside.events.emit('TaskAdded', { taskName: declared.name, registration: tracedRegistration(declared) });
    session.schedule(task);
  });
}

function remove(inside: Inside, taskName: string): Promise<void> {
  return inTurn(inside, 'remove a task', async (session) => {
    const task = find(session, taskName);
    await session.ledger.remove(task);
    session.unschedule(task);
    session.tasks.delete(taskName);
    session.runs.abandonRunsOf(task);
    task.request?.failed(new UnknownTaskError(taskName));
    inside.events.emit('TaskRemoved', { taskName });
    session.reportPolling();
  });
}

/** Runs `work` while no record of the leading session changes. */
async function inTurn<T>(inside: Inside, operation: string, work: (session: Session) => Promise<T>): Promise<T> {
  const session = leading(inside);
  return session.ledger.inTurn(async () => {
    if (session !== leading(inside)) throw new NotLeadingError('standby');
    try {
      return await work(session);
    } catch (error) {
      if (error instanceof LeaseLostError) throw new NotLeadingError('standby');
      if (error instanceof HoraeError) throw error;
      throw new TaskStoreError(operation, error);
    }
  });
}
