import type { EventName, TraceEvent } from '../trace/trace-event.js';
import { observe } from './observe.js';
import type { Scheduler } from './scheduler-interface.js';

/** Follows the runs of a scheduler from start to end. */
export interface RunListener {
  started(event: TraceEvent & { readonly taskName: string }): void;
  /** `end` is null when the run was left behind: by a lost lease, a stop with a deadline, or a removed task. */
  ended(start: TraceEvent & { readonly taskName: string }, end: TraceEvent | null): void;
}

/** Calls the listener for every run that starts from now on; returns the remover. */
export function listenToRuns(scheduler: Scheduler, listener: RunListener): () => void {
  const watch = observe(scheduler);
  const open = new Map<string, TraceEvent & { readonly taskName: string }>();
  const start = (event: TraceEvent) => {
    const run = { ...event, taskName: event.taskName! };
    open.set(run.taskName, run);
    listener.started(run);
  };
  const end = (taskName: string | undefined, event: TraceEvent | null) => {
    const run = taskName === undefined ? undefined : open.get(taskName);
    if (run === undefined) return;
    open.delete(run.taskName);
    listener.ended(run, event);
  };
  const endAll = () => {
    for (const taskName of [...open.keys()]) end(taskName, null);
  };
  const handlers: Partial<Record<EventName, (event: TraceEvent) => void>> = {
    TaskRunStarted: start,
    TaskRetryStarted: start,
    TaskRunCompleted: (event) => end(event.taskName, event),
    TaskRunFailed: (event) => end(event.taskName, event),
    TaskRemoved: ({ taskName }) => end(taskName, null),
    SchedulerRoleChanged: endAll,
    SchedulerStopped: endAll,
  };
  const removers = Object.entries(handlers).map(([name, handler]) => watch.on(name as EventName, handler));
  return () => {
    for (const remove of removers) remove();
    endAll();
  };
}
