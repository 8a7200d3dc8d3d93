import { addJobs, reserveJobIds } from '../engine/api/add-jobs.js';
import type { RingNode } from '../engine/node/ring-node.js';
import { TimeRingError } from '../model/errors.js';
import type { TimeRing } from '../model/interface.js';
import type { JobSettings } from '../model/job.js';
import type { ChildLinks } from './link-children.js';
import type { RowProblem } from './xxl-job-row.js';

/** A job that can be written: checked, its children still by their ids in the export. */
export interface CheckedJob {
  readonly xxlId: number;
  readonly settings: JobSettings;
  readonly children: readonly number[];
  readonly isStarted: boolean;
}

/** The new ids by the ids in the export; a missing job was refused, which `skipped` reports. */
export type NewIds = ReadonlyMap<number, number>;

/** Writes jobs in batches, each with its children in place. New ids ascend in the order of the export. */
export async function writeInBatches(
  node: RingNode,
  jobs: readonly CheckedJob[],
  { links, childrenFirst }: ChildLinks,
): Promise<NewIds> {
  if (jobs.length === 0) return new Map();
  const first = await reserveJobIds(node, jobs.length);
  const newIds = new Map(jobs.map(({ xxlId }, index) => [xxlId, first + index]));
  const byId = new Map(jobs.map((job) => [job.xxlId, job]));
  const ordered = childrenFirst.map((xxlId) => {
    const { settings, isStarted } = byId.get(xxlId)!;
    const children = links.get(xxlId)!.map((child) => newIds.get(child)!);
    return { id: newIds.get(xxlId)!, settings: { ...settings, children }, isStarted };
  });
  await addJobs(node, ordered);
  return newIds;
}

/** The same through the calls of a ring that is a user's own wrapper, which may refuse any of them. */
export async function writeOneByOne(
  ring: Pick<TimeRing, 'jobs'>,
  jobs: readonly CheckedJob[],
  { links, childrenFirst }: ChildLinks,
  skipped: RowProblem[],
): Promise<NewIds> {
  const newIds = new Map<number, number>();
  for (const { xxlId, settings } of jobs) {
    const added = await unlessRefused(xxlId, skipped, () => ring.jobs.add(settings));
    if (added !== null) newIds.set(xxlId, added.id);
  }
  // A child that has no children of its own yet cannot close a cycle, which makes saving its parent cheap.
  for (const xxlId of childrenFirst.toReversed()) {
    const id = newIds.get(xxlId);
    const children = links.get(xxlId)!.flatMap((child) => newIds.get(child) ?? []);
    if (id !== undefined && children.length > 0)
      await unlessRefused(xxlId, skipped, () => ring.jobs.update(id, { children }));
  }
  for (const { xxlId, isStarted } of jobs) {
    const id = newIds.get(xxlId);
    if (isStarted && id !== undefined) await unlessRefused(xxlId, skipped, () => ring.jobs.start(id));
  }
  return newIds;
}

/** A refusal of the ring concerns one row; a ring that has stopped, or a lost database, ends the import. */
async function unlessRefused<Result>(
  xxlId: number,
  skipped: RowProblem[],
  step: () => Promise<Result>,
): Promise<Result | null> {
  try {
    return await step();
  } catch (error) {
    if (!(error instanceof TimeRingError) || error.code === 'stopped') throw error;
    skipped.push({ xxlId, reason: error.message });
    return null;
  }
}
