import { childCycle } from '../decide/child-cycle.js';
import { parseJob } from '../decide/parse-job.js';
import { TimeRingError } from '../time-ring-error.js';
import type { TimeRing } from '../time-ring-interface.js';
import { type ExportRow, readExport } from './read-export.js';
import { type RowProblem, translateRow, type XxlJob } from './xxl-job-row.js';

/** What became of each row of an import. */
export interface ImportReport {
  /** In the order of the export. `jobId` is 0 in a dry run. */
  imported: readonly { xxlId: number; jobId: number; name: string }[];
  /** Rows, and children of imported rows, that could not be taken over. */
  skipped: readonly { xxlId: number | null; reason: string }[];
}

export interface ImportOptions {
  /** By default told by the first character. */
  format?: 'sql' | 'json';
  /** Says what would happen, and changes nothing. */
  dryRun?: boolean;
}

/**
 * Takes over the jobs of an XXL-JOB export: the rows of xxl_job_info, and of xxl_job_group for the names of groups, as SQL INSERTs or as
 * JSON. A row that cannot be taken over is reported with the reason, and the rest is imported. Jobs that were started are started last,
 * when all children are in place. Throws 'bad-import' for a text that cannot be read at all, before anything is written. Importing the
 * same text twice makes the jobs twice.
 */
export async function importXxlJobs(ring: TimeRing, text: string, options: ImportOptions = {}): Promise<ImportReport> {
  const { jobs, skipped } = readJobs(text, options.format);
  const links = linkChildren(jobs, skipped);
  if (options.dryRun) return { imported: jobs.map((job) => reportOf(job, 0)), skipped };

  const newIds = new Map<number, number>();
  for (const { xxlId, job } of jobs) {
    const added = await unlessRefused(xxlId, skipped, () => ring.jobs.add(job));
    if (added !== null) newIds.set(xxlId, added.id);
  }
  const added = jobs.filter(({ xxlId }) => newIds.has(xxlId));
  for (const { xxlId } of added) {
    const children = links.get(xxlId)!.flatMap((child) => newIds.get(child) ?? []);
    if (children.length > 0)
      await unlessRefused(xxlId, skipped, () => ring.jobs.update(newIds.get(xxlId)!, { children }));
  }
  for (const { xxlId, isStarted } of added) {
    if (isStarted) await unlessRefused(xxlId, skipped, () => ring.jobs.start(newIds.get(xxlId)!));
  }
  return { imported: added.map((job) => reportOf(job, newIds.get(job.xxlId)!)), skipped };
}

function readJobs(text: string, format: 'sql' | 'json' | undefined): { jobs: XxlJob[]; skipped: RowProblem[] } {
  const { jobs: rows, groups } = readExport(text, format);
  const names = groupNames(groups);
  const jobs = new Map<number, XxlJob>();
  const skipped: RowProblem[] = [];
  for (const row of rows) {
    const translated = 'problem' in row ? { xxlId: null, reason: row.problem } : checked(translateRow(row, names));
    if ('reason' in translated) skipped.push(translated);
    else if (jobs.has(translated.xxlId))
      skipped.push({ xxlId: translated.xxlId, reason: 'another row has the same id' });
    else jobs.set(translated.xxlId, translated);
  }
  return { jobs: [...jobs.values()], skipped };
}

/** Judges the job as adding it would, so that a dry run tells the same as a real one. */
function checked(translated: XxlJob | RowProblem): XxlJob | RowProblem {
  if ('reason' in translated) return translated;
  try {
    parseJob(translated.job);
    return translated;
  } catch (error) {
    if (error instanceof TimeRingError) return { xxlId: translated.xxlId, reason: error.message };
    throw error;
  }
}

/** The children of each job that it can keep: those that are imported too and do not close a cycle. */
function linkChildren(jobs: readonly XxlJob[], skipped: RowProblem[]): ReadonlyMap<number, readonly number[]> {
  const links = new Map<number, number[]>(jobs.map(({ xxlId }) => [xxlId, []]));
  const childrenOf = (xxlId: number) => links.get(xxlId) ?? [];
  for (const { xxlId, children } of jobs) {
    for (const child of children) {
      const cycle = links.has(child) ? childCycle(xxlId, [child], childrenOf) : null;
      if (!links.has(child)) skipped.push({ xxlId, reason: `child ${child} is left out: it is not imported` });
      else if (cycle !== null)
        skipped.push({ xxlId, reason: `child ${child} is left out: cycle ${cycle.join(' -> ')}` });
      else links.get(xxlId)!.push(child);
    }
  }
  return links;
}

function groupNames(groups: readonly ExportRow[]): ReadonlyMap<number, string> {
  return new Map(
    groups.flatMap((group): [number, string][] => {
      const name = group.get('appname');
      return typeof name === 'string' && name !== '' ? [[Number(group.get('id')), name]] : [];
    }),
  );
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

function reportOf({ xxlId, job }: XxlJob, jobId: number): { xxlId: number; jobId: number; name: string } {
  return { xxlId, jobId, name: job.name };
}
