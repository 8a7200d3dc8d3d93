import { reachesGroup } from '../access/allows.js';
import type { RouteScope } from '../access/route-rules.js';
import type { Caller, Desk } from './desk.js';

/** The query of a list, narrowed to the caller's groups where the route can do that. */
export function narrowQuery(scope: RouteScope, query: URLSearchParams, { groups }: Caller): string {
  if (groups === null) return query.toString();
  if (scope === 'narrowed') query.set('groups', JSON.stringify(groups));
  if (scope === 'run-list' && groups.length === 1 && !query.has('group')) query.set('group', groups[0]!);
  if (scope === 'job-list' && groups.length === 1 && !query.has('executorGroup'))
    query.set('executorGroup', groups[0]!);
  return query.toString();
}

const lists: Partial<Record<RouteScope, string>> = {
  ...{ 'job-list': 'jobs', 'run-list': 'runs', 'executor-list': 'executors', 'group-list': 'groups' },
  'delivery-list': 'deliveries',
};

/** An answer without what the caller's groups do not reach. A page may have fewer entries then; its cursor stays. */
export async function filterAnswer(desk: Desk, scope: RouteScope, answer: Response, caller: Caller): Promise<Response> {
  if (caller.groups === null || !answer.ok || answer.body === null) return answer;
  if (scope === 'events') return new Response(filterEvents(desk, answer.body, caller), answer);
  const list = lists[scope];
  if (list === undefined) return answer;
  const isSeen = seenBy(desk, caller);
  const body = (await answer.json()) as Record<string, unknown>;
  // A list of groups may be the body itself.
  const entries = (Array.isArray(body) ? body : body[list]) as unknown[];
  const seen: unknown[] = [];
  for (const entry of entries ?? []) if (await isSeen(entry)) seen.push(entry);
  const headers = new Headers(answer.headers);
  headers.delete('content-length');
  return new Response(JSON.stringify(Array.isArray(body) ? seen : { ...body, [list]: seen }), {
    status: answer.status,
    headers,
  });
}

/** Whether the caller may see a job, a run, an executor, a group or a delivered message; jobs are looked up once per answer. */
function seenBy({ ring }: Desk, caller: Caller): (entry: unknown) => Promise<boolean> {
  const groupOfJob = new Map<number, string | null>();
  return async (entry) => {
    const { executorGroup, group, jobId: direct, name, message } = entry as Record<string, unknown>;
    // A message that concerns no job concerns the ring as a whole.
    const jobId = direct ?? (message as { job?: { id: number } | null } | undefined)?.job?.id;
    if (typeof executorGroup === 'string') return reachesGroup(caller, executorGroup);
    if (typeof jobId === 'number') {
      if (!groupOfJob.has(jobId)) groupOfJob.set(jobId, (await ring.jobs.get(jobId))?.executorGroup ?? null);
      const found = groupOfJob.get(jobId) ?? null;
      return found !== null && reachesGroup(caller, found);
    }
    const own = group ?? name;
    return typeof own === 'string' && reachesGroup(caller, own);
  };
}

/** Passes on only events that the caller may see; each chunk is one event. */
function filterEvents(desk: Desk, events: ReadableStream<Uint8Array>, caller: Caller): ReadableStream<Uint8Array> {
  const decoder = new TextDecoder();
  const open = new Set(['pass-completed', 'pass-failed', 'bucket-acquired', 'bucket-lost', 'pool-filled']);
  return events.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      async transform(chunk, controller) {
        const text = decoder.decode(chunk);
        const found = /^event: (\S+)\ndata: (.*)\n\n$/.exec(text);
        if (found === null || open.has(found[1]!)) return controller.enqueue(chunk);
        const { job, run, ...event } = JSON.parse(found[2]!) as Record<string, unknown>;
        if (await seenBy(desk, caller)(job ?? run ?? event)) controller.enqueue(chunk);
      },
    }),
  );
}
