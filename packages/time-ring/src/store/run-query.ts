import type { RunRow } from '../run.js';
import type { RunQuery } from './job-store.js';

/** Whether a run is one of those that are asked for. */
export function matchesQuery(run: RunRow, query: RunQuery): boolean {
  const { jobId, fireId, state, triggerType, from, to, beforeId } = query;
  if (beforeId !== null && run.id >= beforeId) return false;
  if (jobId !== undefined && run.jobId !== jobId) return false;
  if (fireId !== undefined && run.fireId !== fireId) return false;
  if (state !== undefined && run.state !== state) return false;
  if (triggerType !== undefined && run.triggerType !== triggerType) return false;
  if (from !== undefined && (run.scheduleTime === null || run.scheduleTime < from)) return false;
  return to === undefined || (run.scheduleTime !== null && run.scheduleTime < to);
}
