import { Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { type Clock, isHoraeError } from 'horae/time';
import type { Hello } from '../../wire/session.js';
import { askForToken } from './ask-for-token.js';
import { eventStream } from './event-stream.js';
import { guard } from './guard.js';
import type { LiveHub } from './live-hub.js';
import { servePage } from './page-files.js';
import { BadRequest } from './read-body.js';
import { securityHeaders } from './security-headers.js';

export interface AppOptions {
  readonly clock: Clock;
  readonly hub: LiveHub;
  readonly hello: () => Hello;
  readonly hostNames: readonly string[] | null;
  /** The token that every request needs; null for none, on loopback. */
  readonly accessToken: string | null;
  readonly pageFolder: string;
  /** Aborted when the server ends: open streams are closed. */
  readonly ending: AbortSignal;
  /** The engines' own addresses, below /api. */
  readonly routes: Readonly<Record<string, Hono>>;
  /** Answers requests below /console, with limits of its own. */
  readonly console: (request: Request) => Promise<Response>;
  readonly onError: (error: unknown) => void;
}

/** No body is larger: a scenario of a few thousand lines fits. */
const MAX_BODY_BYTES = 256 * 1024;

/** The whole HTTP side: guard, headers, engines, stream, page. */
export async function createApp(options: AppOptions): Promise<Hono> {
  const app = new Hono();
  app.use(securityHeaders);
  if (options.accessToken !== null) app.use(askForToken(options.accessToken));
  app.use(guard({ token: options.hello().token, hostNames: options.hostNames }));
  app.all('/console', (context) => options.console(context.req.raw));
  app.all('/console/*', (context) => options.console(context.req.raw));
  app.use(
    bodyLimit({
      maxSize: MAX_BODY_BYTES,
      onError: (context) =>
        context.json(
          { error: { code: 'body-too-large', message: `A body has at most ${MAX_BODY_BYTES} bytes.` } },
          413,
        ),
    }),
  );
  app.get('/api/events', (context) =>
    eventStream(context, options.hub, options.clock, options.hello(), options.ending),
  );
  for (const [name, routes] of Object.entries(options.routes)) app.route(`/api/${name}`, routes);
  app.all('/api/*', (context) =>
    context.json({ error: { code: 'not-found', message: `There is no ${context.req.path}.` } }, 404),
  );
  await servePage(app, options.pageFolder);
  app.onError((error, context) => {
    const { status, code, message } = refusalOf(error);
    if (status === 500) options.onError(error);
    return context.json({ error: { code, message } }, status);
  });
  return app;
}

/**
 * A refusal by an engine is an answer for the user, not a fault of the request, so its status is 200. An invalid request is 400, and
 * anything else a fault of the server.
 */
function refusalOf(error: unknown): { status: 200 | 400 | 500; code: string; message: string } {
  if (isHoraeError(error)) return { status: 200, code: error.code, message: error.message };
  if (error instanceof BadRequest) return { status: 400, code: error.code, message: error.message };
  return { status: 500, code: 'internal', message: 'The server failed; its terminal says why.' };
}
