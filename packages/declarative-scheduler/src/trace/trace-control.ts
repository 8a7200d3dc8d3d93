import type { TraceEvent } from './trace-event.js';
import { addTask } from './trace-registration.js';
import { momentOf, type TracedTask, type TraceReader } from './trace-state.js';

/** Follows manual operations. True when the event was one of those. */
export function judgeControl(reader: TraceReader, event: TraceEvent): boolean {
  if (event.event === 'TaskAdded') {
    if (event.registration !== undefined) addTask(reader, event.registration, event, event.at);
    return true;
  }
  const change = changes[event.event];
  if (change === undefined) return false;
  const task = reader.tasks.get(event.taskName!);
  if (task === undefined)
    reader.blame('unregistered-task', `${event.event} of ${event.taskName}, which is not registered`);
  else change(reader, task, event);
  return true;
}

type Change = (reader: TraceReader, task: TracedTask, event: TraceEvent) => void;

const changes: Partial<Record<TraceEvent['event'], Change>> = {
  TaskPaused(_, task) {
    task.paused = true;
  },
  TaskResumed(reader, task, event) {
    if (!task.paused && !task.uncertain) reader.blame('resume-without-pause', `${task.name} is not paused`);
    // Occurrences that came due meanwhile are not made up.
    Object.assign(task, {
      paused: false,
      handledUntil: Math.max(task.handledUntil, event.at),
      idleSince: momentOf(event),
    });
  },
  TaskRetryCancelled(reader, task) {
    if (task.retryAt === null) reader.blame('cancel-without-retry', `${task.name} has no retry to cancel`);
    task.retryAt = null;
  },
  TaskRemoved(reader, task) {
    if (task.running !== null) reader.running -= 1;
    reader.tasks.delete(task.name);
  },
};
