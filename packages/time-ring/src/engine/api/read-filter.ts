import { badOption } from '../../model/errors.js';
import type { RunFilter } from '../../model/interface.js';
import { runStates, triggerTypes } from '../../model/run.js';
import type { JobReads, RunQuery } from '../../store/job-store.js';
import { findJob } from './find-job.js';

const included = ['params', 'result'] as const;

/** Checks the filter of a list of runs. Large fields are read only when they are included. */
export async function readFilter(
  reads: Pick<JobReads, 'job' | 'jobByKey'>,
  filter: Omit<RunFilter, 'limit'>,
): Promise<Omit<RunQuery, 'limit' | 'beforeId'>> {
  const { jobId: job, ...rest } = filter;
  const query = checked(rest);
  if (typeof job !== 'string') return { ...query, jobId: job };
  // An unknown key matches no runs.
  return { ...query, jobId: (await findJob(reads, job))?.id ?? NO_JOB };
}

/** No job has this id. */
const NO_JOB = 0;

function checked(filter: Omit<RunFilter, 'limit' | 'jobId'>): Omit<RunQuery, 'limit' | 'beforeId' | 'jobId'> {
  const { fireId, state, triggerType, from, to, text, labels, group, executor, dead, order, include } = filter;
  oneOf('state', state, runStates);
  oneOf('triggerType', triggerType, triggerTypes);
  oneOf('order', order, ['newest', 'oldest']);
  for (const [field, value] of Object.entries({ text, group, executor })) {
    if (value !== undefined && typeof value !== 'string') throw badOption(field, value, 'a text');
  }
  if (dead !== undefined && typeof dead !== 'boolean') throw badOption('dead', dead, 'true or false');
  checkLabels(labels);
  if (include !== undefined && !Array.isArray(include)) throw badOption('include', include, 'a list');
  for (const field of include ?? []) oneOf('include', field, included);
  const query = { fireId, state, triggerType, from, to, text: text === '' ? undefined : text };
  return { ...query, labels, group, executor, dead, order, include: include ?? [] };
}

function checkLabels(labels: unknown): void {
  if (labels === undefined) return;
  const isRecord = typeof labels === 'object' && labels !== null && !Array.isArray(labels);
  if (isRecord && Object.values(labels).every((value) => typeof value === 'string')) return;
  throw badOption('labels', labels, 'texts by name');
}

function oneOf(field: string, value: string | undefined, choices: readonly string[]): void {
  if (value === undefined || choices.includes(value)) return;
  throw badOption(field, value, `one of ${choices.join(', ')}`);
}
