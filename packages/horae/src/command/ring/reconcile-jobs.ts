import { isDeepStrictEqual } from 'node:util';
import type { Job, JobInput, Jobs } from '@horae/time-ring';
import type { RingConfig } from './ring-config.js';

const MAX_PAGES = 1_000;

/** The names of the jobs that a reconciliation added and updated. */
export interface Reconciled {
  readonly added: readonly string[];
  readonly updated: readonly string[];
}

/**
 * Makes the jobs of the ring match the configuration, by name. Several nodes may do so at once: of jobs that two of them added under one
 * name the one with the lowest id stays, and each removes its own.
 */
export async function reconcileJobs(jobs: Jobs, config: RingConfig): Promise<Reconciled> {
  const added: Job[] = [];
  const updated: string[] = [];
  const before = await jobsByName(jobs);
  for (const wanted of config.jobs) {
    const existing = before.get(wanted.name);
    if (existing === undefined) {
      added.push(await jobs.add({ ...inputOf(wanted, config), start: false }));
    } else if (isChanged(existing, inputOf(wanted, config))) {
      await jobs.update(existing.id, inputOf(wanted, config));
      updated.push(wanted.name);
    }
  }
  const after = await jobsByName(jobs);
  for (const job of added) if (after.get(job.name)?.id !== job.id) await jobs.remove(job.id);
  for (const wanted of config.jobs) await linkChildren(jobs, wanted, after);
  // Started last: a first run may already need its children.
  const kept = added.filter((job) => after.get(job.name)?.id === job.id);
  for (const job of kept) {
    const wanted = config.jobs.find(({ name }) => name === job.name)!;
    if (wanted.start && wanted.schedule.kind !== 'none') await jobs.start(job.id);
  }
  return { added: kept.map(({ name }) => name), updated };
}

type WantedJob = RingConfig['jobs'][number];

/** The job as the ring takes it, without its children, whose ids are not known yet. */
function inputOf(
  { children: _, start: __, timeout, executorGroup, ...rest }: WantedJob,
  { group }: RingConfig,
): JobInput {
  return { ...rest, timeoutMs: timeout, executorGroup: executorGroup ?? group };
}

function isChanged(existing: Job, wanted: JobInput): boolean {
  return Object.entries(wanted).some(
    ([field, value]) => !isDeepStrictEqual(plain(existing[field as keyof Job]), plain(value)),
  );
}

/** As it comes back from the database: without fields that are undefined, and with the dialect that is meant when none is given. */
function plain(value: unknown): unknown {
  const copy = JSON.parse(JSON.stringify(value ?? null));
  if (copy?.kind === 'cron') copy.dialect ??= 'quartz';
  return copy;
}

async function linkChildren(jobs: Jobs, wanted: WantedJob, byName: ReadonlyMap<string, Job>): Promise<void> {
  const job = byName.get(wanted.name);
  if (job === undefined) return;
  const children = wanted.children.flatMap((name) => byName.get(name)?.id ?? []);
  if (!isDeepStrictEqual([...job.children], children)) await jobs.update(job.id, { children });
}

/** Of several jobs with the same name, the one with the lowest id is used. */
async function jobsByName(jobs: Jobs): Promise<Map<string, Job>> {
  const found = new Map<string, Job>();
  let cursor: string | null = null;
  for (let page = 0; page < MAX_PAGES; page++) {
    const part: Awaited<ReturnType<Jobs['list']>> = await jobs.list({
      limit: 1000,
      ...(cursor === null ? {} : { cursor }),
    });
    for (const job of part.jobs) if (!found.has(job.name)) found.set(job.name, job);
    if (part.cursor === null) break;
    cursor = part.cursor;
  }
  return found;
}
