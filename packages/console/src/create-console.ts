import { readFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { fileURLToPath } from 'node:url';
import type { Logger } from '@horae/time-ring';
import { createRingAdmin } from '@horae/time-ring/admin';
import { type ConsoleOptions, resolveConsole } from './access/console-options.js';
import { createLoginLimits } from './accounts/login-limits.js';
import { openAccounts } from './accounts/open-accounts.js';
import { answerAdmin } from './api/admin-gate.js';
import { answerConsole } from './api/console-routes.js';
import type { Asked, Desk } from './api/desk.js';
import { whoAsks } from './api/who-asks.js';
import { type NodeRequest, sendResponse, webRequest } from './http/node-bridge.js';
import { type PageFiles, readPage } from './http/page-files.js';
import { Problem, problemResponse } from './http/problem.js';
import { withSecurityHeaders } from './http/security-headers.js';
import { createProvider } from './oidc/provider.js';
import { printedLog } from './printed-log.js';

/** The common part of Node's requests, so that the declarations of this package need no types of Node. */
export interface NodeRequestLike {
  readonly url?: string | undefined;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
}

/** The console of a ring, to be mounted in a server. */
export interface Console {
  /** Answers a request of Hono, Bun, Deno or any server with web-standard requests. */
  fetch(request: Request): Promise<Response>;
  /** Answers a request of Node's own server, Express or Connect. Never throws. */
  node(request: NodeRequestLike, response: object): void;
  /** Whether it has users: until then no login is possible. */
  hasUsers(): Promise<boolean>;
  /** Ends the live streams. The ring and its database stay the caller's. */
  close(): void;
}

/** Both from `src` and from `dist` the built page is here. */
const PAGE = fileURLToPath(new URL('../dist/page/', import.meta.url));
const MANIFEST = fileURLToPath(new URL('../package.json', import.meta.url));

/**
 * The web console of a ring. Its tables are created in the ring's database at once, or with the next request if that fails; a console
 * without users prints a one-time address for making the first admin.
 */
export function createConsole({ ring, log, ...options }: ConsoleOptions): Console {
  const resolved = resolveConsole(options);
  const admin = createRingAdmin(ring);
  const logger = log ?? admin.log ?? printedLog;
  const peers = new WeakMap<Request, string>();

  const open = async (): Promise<{ desk: Desk; page: PageFiles }> => {
    const accounts = await openAccounts(admin.database);
    const limits = createLoginLimits(admin.clock);
    const { version } = JSON.parse(await readFile(MANIFEST, 'utf8')) as { version: string };
    const provider = resolved.auth.kind === 'oidc' ? createProvider(resolved.auth) : null;
    const own = { ring, admin, accounts, options: resolved, limits, provider };
    const desk: Desk = { ...own, clock: admin.clock, log: logger, version };
    return { desk, page: await readPage(PAGE) };
  };
  let opening: ReturnType<typeof open> | undefined;
  const opened = () => {
    opening ??= open();
    // A database that is unavailable for a moment is tried again with the next request.
    opening.catch(() => (opening = undefined));
    return opening;
  };
  void opened()
    .then(({ desk }) => inviteFirstAdmin(desk, logger))
    .catch((error) =>
      logger.error({ err: error }, 'The console cannot open its tables; it tries again with the next request'),
    );

  const fetch = async (request: Request): Promise<Response> => {
    try {
      const { desk, page } = await opened();
      const { asked, redirect } = readRequest(request, resolved.basePath, peers.get(request) ?? null);
      if (redirect !== undefined) return withSecurityHeaders(redirect);
      return withSecurityHeaders(await answer(desk, page, asked));
    } catch (error) {
      if (error instanceof Problem) return withSecurityHeaders(problemResponse(error));
      logger.error({ err: error, path: new URL(request.url).pathname }, 'A request could not be answered');
      return withSecurityHeaders(
        problemResponse(new Problem(500, 'internal', 'The request could not be answered: see the log')),
      );
    }
  };

  return {
    fetch,
    node(request, response) {
      const [incoming, outgoing] = [request as NodeRequest, response as ServerResponse];
      const gone = new AbortController();
      outgoing.once('close', () => gone.abort());
      const send = async () => {
        const asked = webRequest(incoming, gone.signal);
        peers.set(asked, incoming.socket.remoteAddress ?? '');
        await sendResponse(await fetch(asked), outgoing, gone.signal);
      };
      send().catch(() => outgoing.destroy());
    },
    hasUsers: async () => (await (await opened()).desk.accounts.users.count()) > 0,
    close: admin.close,
  };
}

function readRequest(request: Request, basePath: string, peer: string | null): { asked: Asked; redirect?: Response } {
  const url = new URL(request.url);
  if (url.pathname !== basePath && !url.pathname.startsWith(`${basePath}/`))
    throw new Problem(404, 'not-found', 'There is nothing at this path');
  const path = url.pathname.slice(basePath.length);
  const asked = { request, method: request.method, path, query: url.searchParams, peer };
  // The page names its files relative to itself.
  if (path === '')
    return { asked, redirect: new Response(null, { status: 308, headers: { location: `${basePath}/` } }) };
  return { asked };
}

async function answer(desk: Desk, page: PageFiles, asked: Asked): Promise<Response> {
  const { path, method } = asked;
  if (path.startsWith('/console/')) return answerConsole(desk, asked, await whoAsks(desk, asked));
  if (path === '/admin' || path.startsWith('/admin/')) {
    const caller = await whoAsks(desk, asked);
    if (caller === null)
      throw new Problem(401, 'unauthorized', 'Log in, or give a token: Authorization: Bearer <token>', {
        'www-authenticate': 'Bearer',
      });
    return answerAdmin(desk, asked, caller);
  }
  const file = method === 'GET' || method === 'HEAD' ? page(path, asked.request) : null;
  if (file === null) throw new Problem(404, 'not-found', 'There is nothing at this path');
  return file;
}

/** Prints the address for making the first admin while there are no users. */
async function inviteFirstAdmin({ accounts, options, ring }: Desk, log: Logger): Promise<void> {
  if (options.auth.kind !== 'users' || (await accounts.users.count()) > 0) return;
  const invitation = await accounts.settings.invite();
  const address = `${ring.http?.url ?? ''}${options.basePath}/#/first-admin?invitation=${invitation}`;
  log.info({ address }, `The console has no users yet. Make the first admin at ${address}`);
}
