import { badOption } from '../model/errors.js';
import type { Jobs } from '../model/interface.js';
import type { Job } from '../model/job.js';
import type { JobReads } from '../store/job-store.js';

type JobsQuery = NonNullable<Parameters<Jobs['list']>[0]>;

/** At most this many jobs are read for one page of a search; the cursor continues after them. */
const MAX_READ_PER_PAGE = 20_000;
const READ_AT_ONCE = 1_000;

/**
 * A page of the jobs whose name, key, handler, owner or label contains `text`, ignoring case; all jobs without a text. Where the database
 * can exclude most of the others, it does.
 */
export async function searchJobs(
  jobs: Pick<Jobs, 'list'>,
  { text = '', ...query }: JobsQuery & { text?: string | undefined },
  store?: Pick<JobReads, 'jobs'>,
): ReturnType<Jobs['list']> {
  const wanted = text.trim().toLowerCase();
  if (wanted === '') return jobs.list(query);
  const { limit = 100, cursor, ...filter } = query;
  const hint = store === undefined || !isPlain(wanted) ? undefined : wanted;
  const found: Job[] = [];
  let from = cursor;
  for (let read = 0; read < MAX_READ_PER_PAGE; read += READ_AT_ONCE) {
    const page =
      hint === undefined
        ? await jobs.list({ ...filter, limit: READ_AT_ONCE, ...(from === undefined ? {} : { cursor: from }) })
        : await hintedPage(store!, filter, hint, from);
    for (const job of page.jobs) {
      if (!isAbout(job, wanted)) continue;
      if (found.length === limit) return { jobs: found, cursor: String(found.at(-1)!.id) };
      found.push(job);
    }
    if (page.cursor === null) return { jobs: found, cursor: null };
    from = page.cursor;
  }
  return { jobs: found, cursor: from ?? null };
}

function isAbout({ name, key, handler, owner, labels }: Job, wanted: string): boolean {
  const labelled = Object.entries(labels).map(([label, value]) => `${label}=${value}`);
  return [name, key ?? '', handler, owner, ...labelled].some((text) => text.toLowerCase().includes(wanted));
}

/** Letters that every database lower-cases in the same way, and that JSON does not escape. */
function isPlain(text: string): boolean {
  return /^[ !#-[\]-~]+$/.test(text);
}

async function hintedPage(
  store: Pick<JobReads, 'jobs'>,
  filter: Omit<JobsQuery, 'limit' | 'cursor'>,
  textHint: string,
  from: string | undefined,
): ReturnType<Jobs['list']> {
  const afterId = readCursor(from);
  const jobs = await store.jobs({ ...filter, textHint, limit: READ_AT_ONCE, afterId });
  return { jobs, cursor: jobs.length < READ_AT_ONCE ? null : String(jobs.at(-1)!.id) };
}

function readCursor(cursor: string | undefined): number {
  if (cursor === undefined) return 0;
  if (/^\d{1,15}$/.test(cursor)) return Number(cursor);
  throw badOption('cursor', cursor, 'what the page before gave');
}
