import type { EpochMs } from '@horae/clock-store';
import type { RunDecision } from './decide-run.js';
import type { TaskRecord } from './task-record.js';

const TARGET_MS = 60_000;
const TASKS_PER_TARGET = 10_000;

/** The latest start that the specification's target allows: a minute, growing with the number of tasks. */
export function latencyBoundMs(taskCount: number): number {
  return TARGET_MS * Math.max(1, taskCount / TASKS_PER_TARGET);
}

/**
 * How late a start is, when that is later than the target: counted from when the run could have started, which is when it was due,
 * when the scheduler became active, or when the run before it ended, whichever came last. Null when it is in time.
 */
export function lateStart(start: {
  readonly decision: RunDecision;
  readonly now: EpochMs;
  readonly activeSince: EpochMs;
  /** Before the start. */
  readonly record: TaskRecord;
  readonly taskCount: number;
  /** How much later than due the start was meant to be. */
  readonly jitterMs: number;
}): { lateMs: number; boundMs: number } | null {
  const { decision, now, activeSince, record, jitterMs } = start;
  const couldStartAt = Math.max(
    decision.dueAt + jitterMs,
    activeSince,
    record.lastSuccessAt ?? 0,
    record.lastFailureAt ?? 0,
  );
  const lateMs = now - couldStartAt;
  const boundMs = latencyBoundMs(start.taskCount);
  return lateMs > boundMs ? { lateMs, boundMs } : null;
}
