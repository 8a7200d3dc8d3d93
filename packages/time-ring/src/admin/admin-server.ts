import type { IncomingMessage, ServerResponse } from 'node:http';
import { bearerToken, type TokenCheck } from '../http/access-token.js';
import type { ListenOptions } from '../http/http-options.js';
import { jsonProblem } from '../http/json-safety.js';
import { isForeignOrigin, isLoopbackHostHeader } from '../http/loopback.js';
import { parseJson, RequestProblem, readBody } from '../http/read-body.js';
import type { RefusedTokens } from '../http/refused-tokens.js';
import { sendJson } from '../http/wire-answer.js';
import type { JobRef } from '../model/job.js';
import type { Logger } from '../model/logger.js';
import { adminError, shapeError } from './admin-errors.js';
import type { AdminAnswer, AdminRoute } from './admin-route.js';
import { schemaOf } from './open-api.js';

export interface AdminContext {
  readonly options: ListenOptions;
  /** Undefined: every caller that reaches the port under a loopback name is allowed. */
  readonly token: string | undefined;
  readonly isToken: TokenCheck;
  readonly onRefusedToken: RefusedTokens;
  readonly log: Logger;
}

/** Answers a request below /admin. */
export type AdminServer = (
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
  query: string,
) => Promise<void>;

/** The admin API over its routes: authorises callers, checks requests and writes answers. */
export function createAdminServer(routes: readonly AdminRoute[], around: AdminContext): AdminServer {
  const { log } = around;
  const table = routes.map((route) => ({ route, pattern: patternOf(route.path), numbers: numbersOf(route) }));

  async function answer(
    request: IncomingMessage,
    response: ServerResponse,
    path: string,
    query: string,
  ): Promise<void> {
    const isTrusted = checkCaller(
      request,
      table.some(({ route }) => route.path === path && route.isPublic),
      around,
    );
    const here = table.flatMap((entry) => {
      const match = entry.pattern.exec(path);
      return match === null ? [] : [{ ...entry, given: match[1] }];
    });
    if (here.length === 0) throw new RequestProblem(404, 'not-found', 'There is nothing at this path');
    const method = request.method === 'HEAD' ? 'GET' : request.method;
    const found = here.find(({ route }) => route.method === method);
    if (found === undefined) {
      const methods = here.map(({ route }) => (route.method === 'GET' ? 'GET, HEAD' : route.method)).join(', ');
      response.setHeader('allow', methods);
      throw new RequestProblem(405, 'method-not-allowed', `This path takes ${methods}`);
    }
    const { route, numbers } = found;
    const asked = { ...namedIn(route.path, found.given), query: queryOf(route, query, numbers) };
    const body = await bodyOf(request, route, around);
    send(response, await route.answer({ ...asked, body, isTrusted }));
  }

  return async (request, response, path, query) => {
    try {
      await answer(request, response, path, query);
    } catch (error) {
      if (response.headersSent || (request.destroyed && !request.complete)) {
        response.destroy();
        return;
      }
      const told = adminError(error);
      if (told === null) log.error({ err: error, path }, 'A request could not be answered');
      if (told?.status === 401) response.setHeader('www-authenticate', 'Bearer');
      if (told?.status === 413) response.setHeader('connection', 'close');
      const internal = { code: 'internal', message: 'The request could not be answered: see the log of the node' };
      sendJson(response, told?.status ?? 500, JSON.stringify({ error: told?.error ?? internal }));
    }
  };
}

/** Throws when the caller is not allowed; false when it is allowed only because the route is public. */
function checkCaller(request: IncomingMessage, isPublic: boolean, around: AdminContext): boolean {
  // Without a token, a web page could reach the port under a host name of its own that resolves to this machine.
  if (around.token === undefined && !isLoopbackHostHeader(request.headers.host)) {
    throw new RequestProblem(403, 'forbidden-host', 'Without a token the API answers only to loopback names');
  }
  const given = bearerToken(request.headers.authorization);
  const isTrusted = around.isToken(given);
  if (!isTrusted && (given !== undefined || !isPublic)) around.onRefusedToken(request, given);
  if (isTrusted || isPublic) return isTrusted;
  throw new RequestProblem(401, 'unauthorized', 'Give the token: Authorization: Bearer <adminToken or accessToken>');
}

async function bodyOf(request: IncomingMessage, route: AdminRoute, around: AdminContext): Promise<unknown> {
  if (route.body === undefined) return undefined;
  if (route.isBodyOptional && hasNoBody(request)) {
    // The content type keeps out pages of other sites, which cannot send it; without a body, the origin check does.
    if (around.options.accessToken !== undefined || !isForeignOrigin(request.headers.origin)) return {};
    throw new RequestProblem(403, 'forbidden-origin', 'Without an accessToken web pages of other sites are refused');
  }
  const [type, ...parameters] = (request.headers['content-type'] ?? '').toLowerCase().split(';');
  const isUtf8 = parameters.every((parameter) => !/^\s*charset\s*=/.test(parameter) || /utf-?8"?\s*$/.test(parameter));
  if (type!.trim() !== 'application/json' || !isUtf8 || request.headers['content-encoding'] !== undefined) {
    throw new RequestProblem(
      415,
      'unsupported-media-type',
      'The body must be content-type: application/json, as it is',
    );
  }
  const text = await readBody(request, around);
  const value = text === '' && route.isBodyOptional ? {} : parseJson(text);
  const problem = jsonProblem(value);
  if (problem !== null) throw new RequestProblem(400, 'bad-request', `${problem.path}: ${problem.message}`, [problem]);
  const result = route.body.safeParse(value);
  if (!result.success) throw shapeError(result.error, 'body');
  // The original input is passed on, not the schema's output: a change must not gain defaults.
  return value;
}

function hasNoBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0;
}

function send(response: ServerResponse, answer: AdminAnswer): void {
  switch (answer.kind) {
    case 'json':
      response.setHeader('cache-control', 'no-store');
      sendJson(response, answer.status, JSON.stringify(answer.body));
      return;
    case 'text': {
      const body = Buffer.from(answer.text);
      response.writeHead(200, { 'content-type': answer.contentType, 'content-length': body.length });
      response.end(response.req.method === 'HEAD' ? undefined : body);
      return;
    }
    case 'empty':
      response.writeHead(204).end();
      return;
    case 'stream':
      answer.open(response);
  }
}

function patternOf(path: string): RegExp {
  return new RegExp(`^${path.replaceAll('.', '\\.').replace(/\{(?:id|name)\}/, '([^/]+)')}$`);
}

/** The subject of the path: a job by id or key, a run by id, a group or a calendar by name. */
function namedIn(path: string, given: string | undefined): { id: number; job: JobRef; name: string } {
  if (given === undefined) return { id: 0, job: 0, name: '' };
  const text = decoded(given);
  if (path.includes('{name}')) return { id: 0, job: 0, name: text };
  const id = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
  if (Number.isSafeInteger(id)) return { id, job: id, name: '' };
  if (path.startsWith('/admin/jobs/') && !/^\d+$/.test(text)) return { id: 0, job: text, name: '' };
  throw new RequestProblem(400, 'bad-request', 'id: must be a whole number', [
    { path: 'id', message: 'must be a whole number' },
  ]);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new RequestProblem(400, 'bad-request', 'The path is not percent-encoded UTF-8');
  }
}

function numbersOf({ query }: AdminRoute): ReadonlySet<string> {
  const properties = Object.entries(query === undefined ? {} : (schemaOf(query).properties ?? {}));
  return new Set(
    properties
      .filter(([, { type, anyOf = [] }]) => [type, ...anyOf.map((one) => one.type)].includes('integer'))
      .map(([name]) => name),
  );
}

/** The query as a checked object. A parameter that is repeated, unknown or of the wrong type: 400. */
function queryOf({ query }: AdminRoute, text: string, numbers: ReadonlySet<string>): unknown {
  const given = new Map<string, unknown>();
  for (const [name, value] of new URLSearchParams(text)) {
    if (given.has(name)) {
      throw new RequestProblem(400, 'bad-request', `${name}: is given twice`, [
        { path: name, message: 'is given twice' },
      ]);
    }
    given.set(name, numbers.has(name) && /^-?\d{1,16}$/.test(value) ? Number(value) : value);
  }
  if (query === undefined) {
    const [name] = given.keys();
    if (name === undefined) return undefined;
    throw new RequestProblem(400, 'bad-request', `${name}: is not known`, [{ path: name, message: 'is not known' }]);
  }
  const result = query.safeParse(Object.fromEntries(given));
  if (!result.success) throw shapeError(result.error, 'query');
  return result.data;
}
