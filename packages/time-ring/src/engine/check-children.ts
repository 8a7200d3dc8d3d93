import { childCycle } from '../decide/child-cycle.js';
import type { JobTransaction } from '../store/job-store.js';
import { TimeRingError } from '../time-ring-error.js';

/** Refuses children that are not there and cycles. `jobId` is null for a job that has no id yet: nobody can point to it. */
export async function checkChildren(
  trx: JobTransaction,
  jobId: number | null,
  children: readonly number[],
): Promise<void> {
  if (jobId !== null && children.includes(jobId)) throw cycle([jobId, jobId]);
  const families = await trx.holdFamilies();
  const there = new Set((await trx.jobsByIds(children)).map(({ id }) => id));
  const missing = children.find((child) => !there.has(child));
  if (missing !== undefined) {
    throw new TimeRingError('unknown-child', `There is no job ${missing} to be a child: add it first`, {
      field: 'children',
      value: missing,
    });
  }
  const path = jobId === null ? null : childCycle(jobId, children, (id) => families.get(id) ?? []);
  if (path !== null) throw cycle(path);
}

function cycle(path: readonly number[]): TimeRingError {
  const message = `Children would trigger each other without end: ${path.join(' -> ')}; take one of them out`;
  return new TimeRingError('child-cycle', message, { field: 'children', value: path });
}
