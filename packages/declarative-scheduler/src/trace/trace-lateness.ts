import { latencyBoundMs } from '../task/late-start.js';
import { nextDue } from '../task/timetable.js';
import type { TraceEvent } from './trace-event.js';
import type { TracedTask, TraceMoment, TraceReader } from './trace-state.js';

/** A difference between the two clocks beyond this is a step and not drift. */
const STEP_MS = 1_000;

/** A start must come within the latency bound of when it could have come. */
export function judgeLateness(reader: TraceReader, task: TracedTask, event: TraceEvent, dueAt: number): void {
  const lateMs = latenessOf(reader, task, event, dueAt);
  const boundMs = latencyBoundMs(reader.tasks.size);
  if (lateMs > boundMs)
    reader.blame('late-start', `${task.name} starts ${lateMs} ms after it could have, the bound is ${boundMs} ms`);
}

/** When the leader ends, or the trace, nothing may be left that should have started long ago. */
export function judgeMissed(reader: TraceReader, event: TraceEvent): void {
  const boundMs = latencyBoundMs(reader.tasks.size);
  for (const task of reader.tasks.values()) {
    if (task.running !== null || task.uncertain || task.paused) continue;
    const { due, what } = nextStart(task);
    if (due > event.at || latenessOf(reader, task, event, due) <= boundMs) continue;
    reader.blame(
      'never-started',
      `${what} of ${task.name} was due at ${new Date(due).toISOString()} and never started`,
    );
  }
}

function nextStart(task: TracedTask): { due: number; what: string } {
  if (task.orphanOf !== null) return { due: task.idleSince.at, what: 'an orphan' };
  const cronDue = nextDue(task.timetable, task.handledUntil);
  const cronAt = cronDue === null ? Number.POSITIVE_INFINITY : cronDue + task.jitterMs;
  const retryAt = task.retryAt ?? Number.POSITIVE_INFINITY;
  return cronAt <= retryAt ? { due: cronAt, what: 'an occurrence' } : { due: retryAt, what: 'a retry' };
}

/**
 * For how long the task could have started and did not. Time with a failing store or without a free slot is not counted. When the two
 * clocks disagree the wall clock was stepped, once or several times, and the lateness is unknown: 0.
 */
function latenessOf(reader: TraceReader, task: TracedTask, event: TraceEvent, dueAt: number): number {
  if (reader.running >= reader.concurrency) return 0;
  const couldSince = Math.max(
    dueAt,
    task.idleSince.at,
    reader.roomAt,
    reader.leader?.storeFailedAt ?? Number.NEGATIVE_INFINITY,
  );
  return Math.abs(steppedMs(task.idleSince, event)) > STEP_MS ? 0 : event.at - couldSince;
}

/** How far the wall clock stepped between two moments: the difference between the two clocks, where both are known. */
export function steppedMs(
  from: TraceMoment,
  to: { readonly at: number; readonly monotonicMs?: number | undefined },
): number {
  if (from.monotonicMs === undefined || to.monotonicMs === undefined) return 0;
  return to.at - from.at - (to.monotonicMs - from.monotonicMs);
}
