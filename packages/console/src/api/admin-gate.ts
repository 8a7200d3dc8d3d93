import type { RingRoute } from '@horae/time-ring/admin';
import { includesRole } from '../access/allows.js';
import { isReading, type RouteRule, ruleOf } from '../access/route-rules.js';
import { Problem, problemResponse } from '../http/problem.js';
import { readBody } from '../http/read-json.js';
import { checkChange } from './check-change.js';
import type { Asked, Caller, Desk } from './desk.js';
import { checkBodyScope, putSubject, type Subject, scopeSubject } from './group-scope.js';
import { filterAnswer, narrowQuery } from './scoped-answers.js';

/** The size limit of an import. */
const MAX_BODY_BYTES = 33_554_432;

/** Answers a request of the ring's own API, if the caller is allowed to make it; changes and refused changes are in the audit log. */
export async function answerAdmin(desk: Desk, asked: Asked, caller: Caller): Promise<Response> {
  const found = matchRoute(desk.admin.routes, asked);
  if (found === null) return desk.admin.fetch(asked.request, asked.path, asked.query.toString());
  const { route, named } = found;
  const rule = ruleOf(route.method, route.path);
  const isChange = !isReading(asked.method);
  let subject: Subject = { target: route.path, before: null };
  try {
    if (!includesRole(caller.role, rule.role))
      throw new Problem(403, 'forbidden', `This needs the role ${rule.role}; ${caller.name} has ${caller.role}`);
    checkChange(desk, asked, caller);
    subject = await scopeSubject(desk, rule.scope, named, caller, route.path);
    return await forward({ desk, asked, caller, route, rule, subject, isChange });
  } catch (error) {
    if (isChange && error instanceof Problem) {
      await note(desk, asked, caller, route, subject, error.status, null);
      return problemResponse(error);
    }
    throw error;
  }
}

interface Forwarding {
  readonly desk: Desk;
  readonly asked: Asked;
  readonly caller: Caller;
  readonly route: RingRoute;
  readonly rule: RouteRule;
  readonly subject: Subject;
  readonly isChange: boolean;
}

async function forward({ desk, asked, caller, route, rule, subject, isChange }: Forwarding): Promise<Response> {
  const query = narrowQuery(rule.scope, asked.query, caller);
  if (!isChange) {
    const answer = await desk.admin.fetch(asked.request, asked.path, query);
    return filterAnswer(desk, rule.scope, answer, caller);
  }
  const body = await readBody(asked.request, MAX_BODY_BYTES);
  await checkBodyScope(desk, rule.scope, body, caller);
  const about = route.method === 'PUT' ? await putSubject(desk, route.path, body, subject) : subject;
  const { url, headers } = asked.request;
  const request = new Request(url, { method: asked.method, headers, ...(body.length === 0 ? {} : { body }) });
  const answer = await desk.admin.fetch(request, asked.path, query);
  const text = answer.body === null ? '' : await answer.text();
  await note(desk, asked, caller, route, about, answer.status, text);
  return new Response(text === '' ? null : text, { status: answer.status, headers: answer.headers });
}

async function note(
  { accounts, clock }: Desk,
  { peer }: Asked,
  { name: who, via }: Caller,
  { method, path }: RingRoute,
  { target, before }: Subject,
  status: number,
  answer: string | null,
): Promise<void> {
  const after = answer === null || answer === '' ? null : (JSON.parse(answer) as unknown);
  // A job or a flow that was just added is a target by its id, so that its history begins with it.
  const kind = { '/admin/jobs': 'job', '/admin/flows': 'flow' }[path];
  const added = kind !== undefined && status < 300 ? idOf(after) : undefined;
  await accounts.audit.add({
    ...{ at: clock.now(), who, via, from: peer, action: `${method} ${path}`, status, before, after },
    target: added === undefined ? target : `${kind} ${added}`,
  });
}

/** The id in a job or a flow, or in what `put` returns. */
function idOf(answer: unknown): number | undefined {
  const { id, job } = answer as { id?: number; job?: { id: number } };
  return id ?? job?.id;
}

/** The route of a request, with what its path names, decoded. */
function matchRoute(routes: readonly RingRoute[], asked: Asked): { route: RingRoute; named: string } | null {
  const method = asked.method === 'HEAD' ? 'GET' : asked.method;
  for (const route of routes) {
    if (route.method !== method) continue;
    const pattern = new RegExp(`^${route.path.replaceAll('.', '\\.').replace(/\{\w+\}/, '([^/]+)')}$`);
    const match = pattern.exec(asked.path);
    if (match !== null) return { route, named: decoded(match[1] ?? '') };
  }
  return null;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new Problem(400, 'bad-request', 'The path is not percent-encoded UTF-8');
  }
}
