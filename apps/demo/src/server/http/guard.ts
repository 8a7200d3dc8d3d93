import type { MiddlewareHandler } from 'hono';
import { tokenHeader } from '../../wire/session.js';
import { sameText } from './same-text.js';

/** The parts of a request that show its origin. */
export interface RequestFacts {
  readonly method: string;
  readonly path: string;
  readonly header: (name: string) => string | undefined;
}

export interface GuardOptions {
  readonly token: string;
  /** Host names without port under which the server may be reached; null for any, where every request needs an access token. */
  readonly hostNames: readonly string[] | null;
}

/** Why a request is refused, or null. */
export interface GuardProblem {
  readonly status: 400 | 403 | 415;
  readonly code: string;
  readonly message: string;
}

/**
 * Refuses requests that another site could send: a foreign Host (DNS rebinding), a foreign Origin or fetch site, and every request that
 * changes something without the page's token. A request that needs a token also needs JSON, which no cross-site form can send.
 */
export function guardProblem(request: RequestFacts, options: GuardOptions): GuardProblem | null {
  const host = request.header('host') ?? '';
  if (options.hostNames !== null && !options.hostNames.includes(hostNameOf(host)))
    return problem(
      403,
      'foreign-host',
      `This server does not answer for the host "${host}"; open its printed address.`,
    );
  const site = request.header('sec-fetch-site');
  const isNavigation = request.header('sec-fetch-mode') === 'navigate' && !request.path.startsWith('/api/');
  if (site !== undefined && site !== 'same-origin' && site !== 'none' && !isNavigation)
    return problem(403, 'cross-site', 'Requests from other sites are refused.');
  const origin = request.header('origin');
  if (origin !== undefined && origin !== `http://${host}`)
    return problem(403, 'foreign-origin', 'Requests from other origins are refused.');
  if (request.method === 'GET' || request.method === 'HEAD') return null;
  // The console requires a token of its own.
  if (request.path.startsWith('/console/')) return null;
  if (!sameText(request.header(tokenHeader) ?? '', options.token))
    return problem(403, 'token-missing', `Requests that change something need the page's token in ${tokenHeader}.`);
  if (!/^application\/json\b/i.test(request.header('content-type') ?? ''))
    return problem(415, 'not-json', 'The body must be application/json.');
  return null;
}

export function guard(options: GuardOptions): MiddlewareHandler {
  return async (context, next) => {
    const found = guardProblem(
      { method: context.req.method, path: context.req.path, header: (name) => context.req.header(name) },
      options,
    );
    if (found === null) return next();
    return context.json({ error: { code: found.code, message: found.message } }, found.status);
  };
}

/** `[::1]:4400` and `localhost:4400` without their ports. */
function hostNameOf(host: string): string {
  return host.replace(/:\d+$/, '').toLowerCase();
}

function problem(status: GuardProblem['status'], code: string, message: string): GuardProblem {
  return { status, code, message };
}
