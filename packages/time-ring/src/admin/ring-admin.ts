import type { Clock } from '@horae/clock-store';
import type { HoraeDatabase } from '@horae/clock-store/storage';
import { findGrounds } from '../engine/ring-grounds.js';
import { resolveHttpOptions } from '../http/http-options.js';
import { badOption } from '../model/errors.js';
import type { TimeRing } from '../model/interface.js';
import { type Logger, silentLogger } from '../model/logger.js';
import { adminRoutes } from './admin-routes.js';
import { createAdminServer } from './admin-server.js';
import { createEventStreams } from './event-streams.js';
import { answerFetch } from './fetch-bridge.js';

/** One route of the admin API, as the OpenAPI document names it. */
export interface RingRoute {
  readonly method: string;
  /** The path, with `{id}` or `{name}` as placeholders. */
  readonly path: string;
  readonly summary: string;
  readonly isPublic: boolean;
}

/** The admin API of a ring without a port, for programs that authorise its callers themselves. */
export interface RingAdmin {
  readonly routes: readonly RingRoute[];
  /**
   * Answers a request to `path`, which begins with `/admin`. No request is refused for lack of a token: the caller has already authorised
   * it. The caller must bound the size of the body.
   */
  fetch(request: Request, path: string, query: string): Promise<Response>;
  /** Ends the event streams. */
  close(): void;
  /** The foundations of the ring. */
  readonly database: HoraeDatabase;
  readonly clock: Clock;
  readonly zone: string;
  /** Undefined when the ring was started without one. */
  readonly log: Logger | undefined;
}

/** The admin API of a ring from `startTimeRing`; refuses anything else with 'bad-option'. */
export function createRingAdmin(ring: TimeRing): RingAdmin {
  const grounds = findGrounds(ring);
  if (grounds === undefined) throw badOption('ring', ring, 'what startTimeRing gave');
  const { clock, log = silentLogger } = grounds;
  const streams = createEventStreams(ring, clock);
  const routes = adminRoutes(ring, streams);
  // The API counts as having a token, because its callers are already authorised.
  const options = { ...resolveHttpOptions({ port: 0 }), accessToken: 'decided' };
  const around = { options, token: 'decided', isToken: () => true, onRefusedToken: () => {}, log };
  const server = createAdminServer(routes, around);
  return {
    ...grounds,
    routes: routes.map(({ method, path, summary, isPublic = false }) => ({ method, path, summary, isPublic })),
    fetch: (request, path, query) =>
      answerFetch(request, path, (incoming, outgoing) => server(incoming, outgoing, path, query)),
    close: streams.close,
  };
}
