import type { Job } from '../model/job.js';
import type { Run, RunRow } from '../model/run.js';
import type { RunQuery } from './job-store.js';

/** The facts that a query checks beyond the run itself. */
export interface RunNeighbours {
  /** Undefined when the job was removed. */
  readonly job: Pick<Job, 'name' | 'key' | 'executorGroup'> | undefined;
  /** Whether another attempt follows the run. */
  isFollowed(): boolean;
}

/** Whether a run matches a query. */
export function matchesQuery(run: RunRow, query: RunQuery, around: RunNeighbours): boolean {
  const { jobId, fireId, state, triggerType, from, to, beforeId, executor, group, dead } = query;
  if (beforeId !== null && (query.order === 'oldest' ? run.id <= beforeId : run.id >= beforeId)) return false;
  if (query.fromId !== undefined && run.id < query.fromId) return false;
  if (jobId !== undefined && run.jobId !== jobId) return false;
  if (fireId !== undefined && run.fireId !== fireId) return false;
  if (state !== undefined && run.state !== state) return false;
  if (triggerType !== undefined && run.triggerType !== triggerType) return false;
  if (executor !== undefined && run.address !== executor) return false;
  if (group !== undefined && around.job?.executorGroup !== group) return false;
  if (from !== undefined && (run.scheduleTime === null || run.scheduleTime < from)) return false;
  if (to !== undefined && (run.scheduleTime === null || run.scheduleTime >= to)) return false;
  if (query.text !== undefined && !hasText(run, around.job, query.text.toLowerCase())) return false;
  if (Object.entries(query.labels ?? {}).some(([name, value]) => run.labels[name] !== value)) return false;
  return dead === undefined || dead === (run.state === 'failed' && !around.isFollowed());
}

function hasText({ message }: RunRow, job: RunNeighbours['job'], text: string): boolean {
  return [job?.name, job?.key, message].some((field) => field?.toLowerCase().includes(text));
}

/** The run as a list returns it: large fields are undefined unless they are included. */
export function withIncluded(run: Run, include: RunQuery['include']): Run {
  if (include === undefined) return run;
  return {
    ...run,
    params: include.includes('params') ? run.params : undefined,
    result: include.includes('result') ? run.result : undefined,
  };
}

/** The latest attempt at each shard of each fire, by id. */
export function latestAttempts(rows: readonly RunRow[]): readonly RunRow[] {
  const latest = new Map<string, RunRow>();
  for (const row of rows) {
    const shard = `${row.fireId}:${row.shardIndex}`;
    if ((latest.get(shard)?.attempt ?? 0) < row.attempt) latest.set(shard, row);
  }
  return [...latest.values()].sort((a, b) => a.id - b.id);
}
