import type { Flow, Job } from '@horae/time-ring';
import { reachesGroup } from '../access/allows.js';
import type { RouteScope } from '../access/route-rules.js';
import { Problem } from '../http/problem.js';
import type { Caller, Desk } from './desk.js';

/** The target of a request, and its state before. */
export interface Subject {
  readonly target: string;
  readonly before: unknown;
}

const DEFAULT_GROUP = 'default';

/** Finds the target of the path and refuses it to callers whose groups do not include it, as if it did not exist. */
export async function scopeSubject(
  desk: Desk,
  scope: RouteScope,
  named: string,
  caller: Caller,
  path: string,
): Promise<Subject> {
  if (scope === 'job') {
    const job = await findJob(desk, named);
    if (job !== null && !reachesGroup(caller, job.executorGroup)) throw unknown('job', named);
    return { target: `job ${job?.id ?? named}`, before: job };
  }
  if (scope === 'run' || scope === 'run-and-flow') {
    const run = isId(named) ? await desk.ring.runs.get(Number(named)) : null;
    if (run !== null && caller.groups !== null) {
      const job = await desk.ring.jobs.get(run.jobId);
      if (job === null || !reachesGroup(caller, job.executorGroup)) throw unknown('run', named);
      if (scope === 'run-and-flow') await checkFlowOfRun(desk, caller, run.id);
    }
    return { target: `run ${named}`, before: run };
  }
  if (scope === 'flow') {
    const flow = isId(named) ? await findFlow(desk, caller, Number(named)) : null;
    if (flow === null && caller.groups !== null) throw unknown('flow', named);
    return { target: `flow ${named}`, before: flow && { id: flow.id, name: flow.name, state: flow.state } };
  }
  if (scope === 'group') {
    if (!reachesGroup(caller, named)) throw unknown('group', named);
    const before = (await desk.ring.groups.list()).find(({ name }) => name === named) ?? null;
    return { target: `group ${named}`, before };
  }
  if (scope === 'all-groups' && caller.groups !== null)
    throw new Problem(403, 'forbidden', 'This needs a role in all executor groups');
  if (path === '/admin/calendars/{name}')
    return { target: `calendar ${named}`, before: await desk.ring.calendars.get(named) };
  return { target: named === '' ? path : `${path.split('/')[2]} ${named}`, before: null };
}

/** Refuses bodies that would reach into groups that are not the caller's. */
export async function checkBodyScope(desk: Desk, scope: RouteScope, body: Uint8Array, caller: Caller): Promise<void> {
  if (caller.groups === null || body.length === 0) return;
  const value = jsonOf(body);
  if (scope === 'new-group') return checkGroup(caller, value.name);
  if (scope !== 'new-job' && scope !== 'job') return;
  if (scope === 'new-job' || value.executorGroup !== undefined)
    checkGroup(caller, value.executorGroup ?? DEFAULT_GROUP);
  if (scope === 'new-job' && typeof value.key === 'string') await checkJob(desk, caller, value.key);
  // A child is run when its parent succeeds: to name one is to trigger it.
  const children = Array.isArray(value.children) ? value.children : [];
  for (const child of children.slice(0, 1_000)) await checkJob(desk, caller, child);
}

/** The target of a `PUT`: the job, group or calendar that its body names, as it was before. */
export async function putSubject({ ring }: Desk, path: string, body: Uint8Array, otherwise: Subject): Promise<Subject> {
  const { key, name } = jsonOf(body);
  if (path === '/admin/jobs' && typeof key === 'string') {
    const before = await ring.jobs.get(key);
    return { target: before === null ? otherwise.target : `job ${before.id}`, before };
  }
  if (typeof name !== 'string') return otherwise;
  if (path === '/admin/calendars') return { target: `calendar ${name}`, before: await ring.calendars.get(name) };
  if (path !== '/admin/groups') return otherwise;
  const before = (await ring.groups.list()).find((group) => group.name === name) ?? null;
  return { target: `group ${name}`, before };
}

/** A flow of which the caller may see every job. */
function findFlow({ ring }: Desk, { groups }: Caller, id: number): Promise<Flow | null> {
  return ring.flows.get(id, groups === null ? {} : { groups });
}

/** Retrying a step starts the steps after it: the caller must have access to the whole flow. */
async function checkFlowOfRun(desk: Desk, caller: Caller, runId: number): Promise<void> {
  const path = `/admin/runs/${runId}`;
  const answer = await desk.admin.fetch(new Request(`http://localhost${path}`), path, '');
  const { flowId = null } = (await answer.json()) as { flowId?: number | null };
  if (flowId === null || (await findFlow(desk, caller, flowId)) !== null) return;
  throw new Problem(403, 'forbidden', `The run is a step of flow ${flowId}, which has jobs of other executor groups`);
}

async function checkJob(desk: Desk, caller: Caller, named: unknown): Promise<void> {
  const job = await findJob(desk, String(named));
  if (job !== null && !reachesGroup(caller, job.executorGroup)) throw unknown('job', String(named));
}

function checkGroup(caller: Caller, group: unknown): void {
  if (typeof group === 'string' && reachesGroup(caller, group)) return;
  throw new Problem(403, 'forbidden', `The executor group ${String(group)} is not one of ${caller.groups!.join(', ')}`);
}

/** A job by a part of a path: digits are an id, anything else a key. */
function findJob({ ring }: Desk, named: string): Promise<Job | null> {
  const ref = isId(named) ? Number(named) : named;
  return ring.jobs.get(ref);
}

function isId(named: string): boolean {
  return /^\d{1,15}$/.test(named);
}

function unknown(what: string, named: string): Problem {
  return new Problem(404, `unknown-${what}`, `There is no ${what} ${named}`);
}

function jsonOf(body: Uint8Array): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(body));
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    // The route itself refuses a body that is not JSON.
    return {};
  }
}
