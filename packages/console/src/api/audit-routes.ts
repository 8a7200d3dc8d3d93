import { includesRole, reachesGroup } from '../access/allows.js';
import { jsonResponse, Problem } from '../http/problem.js';
import type { Asked, Caller, Desk } from './desk.js';

const MAX_PAGE = 200;

/** The log of changes for admins; the log of one job for every caller that may see the job. */
export async function listAudit(desk: Desk, { query }: Asked, caller: Caller): Promise<Response> {
  const jobId = wholeNumber(query, 'jobId');
  if (jobId === undefined) {
    if (!includesRole(caller.role, 'admin') || caller.groups !== null)
      throw new Problem(403, 'forbidden', 'Only an admin of all groups reads the whole log');
  } else {
    const job = await desk.ring.jobs.get(jobId);
    if (job === null ? caller.groups !== null : !reachesGroup(caller, job.executorGroup))
      throw new Problem(404, 'unknown-job', `There is no job ${jobId}`);
  }
  const page = await desk.accounts.audit.list({
    target: jobId === undefined ? undefined : `job ${jobId}`,
    who: query.get('who') ?? undefined,
    before: wholeNumber(query, 'cursor'),
    limit: Math.min(MAX_PAGE, Math.max(1, wholeNumber(query, 'limit') ?? 50)),
  });
  return jsonResponse(page);
}

function wholeNumber(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name);
  if (text === null) return undefined;
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new Problem(400, 'bad-request', `${name}: must be a whole number`);
}
