import { resolveZone, systemClock } from '@horae/clock-store';
import { checkParams } from '../engine/api/check-params.js';
import type { RingNode } from '../engine/node/ring-node.js';
import { findInternals } from '../engine/ring-internals.js';
import { TimeRingError } from '../model/errors.js';
import type { TimeRing } from '../model/interface.js';
import { parseJob } from '../schedule/parse-job.js';
import { groupWarnings, type ImportWarning, rowWarnings, zoneWarnings } from './import-warnings.js';
import { linkChildren } from './link-children.js';
import { type ExportRow, readExport } from './read-export.js';
import { type CheckedJob, writeInBatches, writeOneByOne } from './write-jobs.js';
import { type RowProblem, translateRow, type XxlJob } from './xxl-job-row.js';

/** The outcome of each row of an import. */
export interface ImportReport {
  /** In the order of the export. `jobId` is 0 in a dry run. */
  imported: readonly { xxlId: number; jobId: number; name: string }[];
  /** Rows, and children of imported rows, that could not be imported. */
  skipped: readonly { xxlId: number | null; reason: string }[];
  /** The parts that were changed on import, or have no equivalent here, with their values. */
  warnings: readonly { xxlId: number | null; message: string }[];
}

/** Options of `importXxlJobs`. */
export interface ImportOptions {
  /** By default detected from the first character. */
  format?: 'sql' | 'json';
  /** Reports what would happen, and changes nothing. */
  dryRun?: boolean;
  /** The time zone of the cron jobs, that of the old scheduler's JVM. By default the ring's zone, with a warning. */
  zone?: string;
}

/**
 * Imports the jobs of an XXL-JOB export: the rows of xxl_job_info, and of xxl_job_group for the names of groups, as SQL INSERTs or as
 * JSON. A row that cannot be imported is reported with the reason, and the rest is imported. A job is written after its children, in
 * batches between which the node does its other work. Throws 'bad-import' for a text that cannot be read at all, before anything is
 * written. Importing the same text twice makes the jobs twice.
 */
export async function importXxlJobs(
  ring: Pick<TimeRing, 'jobs'>,
  text: string,
  options: ImportOptions = {},
): Promise<ImportReport> {
  const node = findInternals(ring as TimeRing)?.node;
  const zone = options.zone === undefined ? undefined : zoneOf(options.zone);
  const { jobs, skipped, warnings } = await readJobs(text, { format: options.format, zone }, node);
  const family = linkChildren(jobs);
  for (const problem of family.problems) skipped.push(problem);
  const startable = jobs.map((job) => stoppedIfUnscheduled(job, skipped));
  if (options.dryRun) return { imported: jobs.map((job) => reportOf(job, 0)), skipped, warnings };
  const newIds =
    node === undefined
      ? await writeOneByOne(ring, startable, family, skipped)
      : await writeInBatches(node, startable, family);
  const added = jobs.filter(({ xxlId }) => newIds.has(xxlId));
  return { imported: added.map((job) => reportOf(job, newIds.get(job.xxlId)!)), skipped, warnings };
}

/** How many rows are checked before other work of the process may run. */
const ROWS_PER_TURN = 200;

async function readJobs(
  text: string,
  { format, zone }: { format: 'sql' | 'json' | undefined; zone: string | undefined },
  node: RingNode | undefined,
): Promise<{ jobs: CheckedJob[]; skipped: RowProblem[]; warnings: ImportWarning[] }> {
  const clock = node?.clock ?? systemClock();
  const { jobs: rows, groups } = await readExport(text, format, clock);
  const names = groupNames(groups);
  const jobs = new Map<number, CheckedJob>();
  const skipped: RowProblem[] = [];
  const warnings = groups.flatMap(groupWarnings);
  for (const [index, row] of rows.entries()) {
    if (index % ROWS_PER_TURN === ROWS_PER_TURN - 1) await clock.sleepFor(0);
    const read =
      'problem' in row ? { xxlId: null, reason: row.problem } : checked(translateRow(row, names, zone), node);
    if ('reason' in read) skipped.push(read);
    else if (jobs.has(read.xxlId)) skipped.push({ xxlId: read.xxlId, reason: 'another row has the same id' });
    else {
      jobs.set(read.xxlId, read);
      warnings.push(...rowWarnings(read.xxlId, row as ExportRow));
    }
  }
  return { jobs: [...jobs.values()], skipped, warnings: [...zoneWarnings([...jobs.values()], zone), ...warnings] };
}

function zoneOf(name: string): string {
  try {
    return resolveZone(name);
  } catch (cause) {
    const message = `zone must be an IANA zone such as Asia/Shanghai, got "${String(name)}"`;
    throw new TimeRingError('bad-import', message, { field: 'zone', value: name }, { cause });
  }
}

/** Checks the job as adding it would, so that a dry run reports the same as a real one. */
function checked(translated: XxlJob | RowProblem, node: RingNode | undefined): CheckedJob | RowProblem {
  if ('reason' in translated) return translated;
  const { xxlId, children, isStarted } = translated;
  try {
    const settings = parseJob(translated.job);
    if (node !== undefined) checkParams(settings.params, node.options.maxParamsBytes);
    return { xxlId, settings, children, isStarted };
  } catch (error) {
    if (error instanceof TimeRingError) return { xxlId, reason: error.message };
    throw error;
  }
}

/** A job without a schedule cannot be started: it is imported stopped. */
function stoppedIfUnscheduled(job: CheckedJob, skipped: RowProblem[]): CheckedJob {
  if (!job.isStarted || job.settings.schedule.kind !== 'none') return job;
  const reason = 'imported, but not started: it has no schedule; give it one, or run it with jobs.trigger';
  skipped.push({ xxlId: job.xxlId, reason });
  return { ...job, isStarted: false };
}

function groupNames(groups: readonly ExportRow[]): ReadonlyMap<number, string> {
  return new Map(
    groups.flatMap((group): [number, string][] => {
      const name = group.get('appname');
      return typeof name === 'string' && name !== '' ? [[Number(group.get('id')), name]] : [];
    }),
  );
}

function reportOf({ xxlId, settings }: CheckedJob, jobId: number): { xxlId: number; jobId: number; name: string } {
  return { xxlId, jobId, name: settings.name };
}
