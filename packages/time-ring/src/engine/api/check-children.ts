import { TimeRingError } from '../../model/errors.js';
import { childCycle } from '../../schedule/child-cycle.js';
import type { JobTransaction } from '../../store/job-store.js';

/** Refuses unknown children and cycles. `jobId` is null for a job without an id yet, to which no job can refer. */
export async function checkChildren(
  trx: JobTransaction,
  jobId: number | null,
  children: readonly number[],
): Promise<void> {
  if (jobId !== null && children.includes(jobId)) throw cycle([jobId, jobId]);
  const isCycleOut = jobId === null || (await lockChildless(trx, children));
  const families = isCycleOut ? null : await trx.lockFamilies();
  const there = new Set((await trx.jobsByIds(children)).map(({ id }) => id));
  const missing = children.find((child) => !there.has(child));
  if (missing !== undefined) {
    throw new TimeRingError('unknown-child', `There is no job ${missing} to be a child: add it first`, {
      field: 'children',
      value: missing,
    });
  }
  const path = families === null ? null : childCycle(jobId!, children, (id) => families.get(id) ?? []);
  if (path !== null) throw cycle(path);
}

/** With more children than this, reading all families costs less than locking each child. */
const MAX_HELD_CHILDREN = 10;

/**
 * Locks the children. True: none has children of its own or gains any before the transaction is over, so no cycle can pass through them.
 */
async function lockChildless(trx: JobTransaction, children: readonly number[]): Promise<boolean> {
  if (children.length > MAX_HELD_CHILDREN) return false;
  for (const id of [...children].sort((a, b) => a - b)) {
    const child = await trx.lockJob(id);
    if (child !== null && child.children.length > 0) return false;
  }
  return true;
}

function cycle(path: readonly number[]): TimeRingError {
  const message = `Children would trigger each other without end: ${path.join(' -> ')}; take one of them out`;
  return new TimeRingError('child-cycle', message, { field: 'children', value: path });
}
