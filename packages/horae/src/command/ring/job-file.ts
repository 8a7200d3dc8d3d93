import type { Job, JobInput } from '@horae/time-ring';
import { z } from 'zod';
import { CommandInputError } from '../frame/command-errors.js';
import type { RingClient } from './ring-client.js';

const MAX_PAGES = 10_000;

/** A job in a file: its children by key, or by name where they have none. */
export type FiledJob = Omit<JobInput, 'children'> & { children?: readonly string[]; start: boolean };

/** The jobs of a ring as a file that `ring import` takes. */
export async function exportedJobs(client: RingClient): Promise<{ jobs: FiledJob[] }> {
  const jobs = await allJobs(client);
  const titles = new Map(jobs.map((job) => [job.id, titleOf(job)]));
  return {
    jobs: jobs.map(
      ({ id, namespace, state, stopReason, lastAt, nextAt, createdAt, updatedAt, children, ...settings }) => ({
        ...settings,
        children: children.flatMap((child) => titles.get(child) ?? []),
        start: state === 'RUNNING',
      }),
    ),
  };
}

function titleOf({ key, name }: { key?: string | null | undefined; name: string }): string {
  return key ?? name;
}

async function allJobs(client: RingClient): Promise<Job[]> {
  const jobs: Job[] = [];
  for (let cursor: string | null | undefined, page = 0; cursor !== null && page < MAX_PAGES; page++) {
    const part: Awaited<ReturnType<RingClient['list']>> = await client.list({
      limit: 1_000,
      ...(cursor === undefined ? {} : { cursor }),
    });
    jobs.push(...part.jobs);
    ({ cursor } = part);
  }
  return jobs;
}

const fileShape = z.object({
  jobs: z.array(
    z.looseObject({
      name: z.string().min(1),
      key: z.string().nullable().optional(),
      children: z.array(z.string()).default([]),
      start: z.boolean().default(false),
    }),
  ),
});

/** The jobs of a file that `ring export` wrote; null for a text that is something else, such as a dump of XXL-JOB. */
export function readJobFile(text: string): FiledJob[] | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  if (typeof value !== 'object' || value === null || !('jobs' in value)) return null;
  const read = fileShape.safeParse(value);
  if (read.success) return read.data.jobs as unknown as FiledJob[];
  const [issue] = read.error.issues;
  throw new CommandInputError(`${issue!.path.join('.')}: ${issue!.message}`, {
    hint: 'a file of "horae ring export" has { "jobs": [{ "name": …, "handler": …, "schedule": … }] }',
    path: issue!.path,
  });
}

/** The outcome of importing a file's jobs. */
export interface FileImport {
  readonly added: readonly string[];
  readonly updated: readonly string[];
}

/**
 * Adds the jobs of a file, and updates those whose key exists. Children are linked when all jobs exist, and jobs are started last. A job
 * that the ring refuses ends the import: earlier jobs stay.
 */
export async function importJobs(client: RingClient, filed: readonly FiledJob[], isDry: boolean): Promise<FileImport> {
  const known = new Map((await allJobs(client)).map((job) => [titleOf(job), job]));
  checkChildren(filed, known);
  const keyed = new Map([...known.values()].flatMap((job) => (job.key === null ? [] : [[job.key, job] as const])));
  const existing = (job: FiledJob) => (typeof job.key === 'string' ? keyed.get(job.key) : undefined);
  const names = (jobs: readonly FiledJob[]) => jobs.map(titleOf);
  const outcome = {
    added: names(filed.filter((job) => existing(job) === undefined)),
    updated: names(filed.filter((job) => existing(job) !== undefined)),
  };
  if (isDry) return outcome;
  const written = new Map<string, Job>(known);
  const jobs = new Map<FiledJob, Job>();
  for (const filing of filed) {
    const { children: _, start: __, ...settings } = filing;
    const found = existing(filing);
    const job = found === undefined ? await client.add(settings) : await client.update(found.id, settings);
    written.set(titleOf(job), job);
    jobs.set(filing, job);
  }
  for (const [{ children = [] }, { id, children: before }] of jobs) {
    const ids = children.map((title) => written.get(title)!.id);
    if (ids.join() !== before.join()) await client.update(id, { children: ids });
  }
  for (const [{ start }, { id, state }] of jobs) if (start && state === 'STOPPED') await client.start(id);
  return outcome;
}

function checkChildren(filed: readonly FiledJob[], known: ReadonlyMap<string, Job>): void {
  const titles = new Set([...known.keys(), ...filed.map(titleOf)]);
  for (const job of filed) {
    const unknown = job.children?.find((title) => !titles.has(title));
    if (unknown === undefined) continue;
    throw new CommandInputError(`the child "${unknown}" of "${job.name}" is no job of the file or the ring`, {
      hint: 'children go by key, or by name where a job has no key',
      child: unknown,
    });
  }
}
