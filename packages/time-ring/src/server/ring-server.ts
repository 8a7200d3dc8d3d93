import type { Clock } from '@horae/clock-store';
import { adminRoutes } from '../admin/admin-routes.js';
import { createAdminServer } from '../admin/admin-server.js';
import { createEventStreams } from '../admin/event-streams.js';
import { createTokenCheck } from '../http/access-token.js';
import { type ResolvedHttpOptions, resolveHttpOptions } from '../http/http-options.js';
import { createLimitedWarning } from '../http/limited-warning.js';
import { type Listening, startListening } from '../http/listening.js';
import { isLoopback } from '../http/loopback.js';
import { createRefusedTokens } from '../http/refused-tokens.js';
import { answerWireCall, type WireCall } from '../http/wire-answer.js';
import { TimeRingError } from '../model/errors.js';
import type { RingHttpOptions, TimeRing } from '../model/interface.js';
import type { Logger } from '../model/logger.js';
import { parseCallback } from '../wire/callback-message.js';
import { schedulerPaths, XXL_PREFIX } from '../wire/dialect.js';
import { parseRegistryMessage, type RegistryEntry } from '../wire/registry-message.js';
import { accepted, type Reply, refused } from '../wire/reply.js';
import type { RemoteResult } from '../workbench/remote-calls.js';

/** The part of the engine that the server needs. */
export interface RingServerPort {
  readonly ring: TimeRing;
  /** Records results that executors reported. Returns a string with the reason why they must be reported again; null: they need not. */
  results(items: readonly RemoteResult[]): Promise<string | null>;
  readonly clock: Clock;
  readonly log: Logger;
}

/** The HTTP server of a node: executors register and report to it, and administrators use its admin API. Resolves when it listens. */
export async function createRingServer(options: RingHttpOptions, port: RingServerPort): Promise<Listening> {
  const resolved = resolveHttpOptions(options);
  const { accessToken, adminToken } = resolved;
  const onRefusedToken = createRefusedTokens(port.clock, port.log);
  const around = { options: resolved, isToken: createTokenCheck(accessToken), onRefusedToken, log: port.log };
  const calls = wireCalls(port);
  const streams = createEventStreams(port.ring, port.clock);
  const admin = createAdminServer(adminRoutes(port.ring, streams), {
    ...around,
    token: adminToken,
    isToken: createTokenCheck(adminToken),
  });
  const warnOfDrop = createLimitedWarning(port.clock, port.log);

  const listening = await startListening({
    host: resolved.host,
    port: resolved.port,
    clock: port.clock,
    maxConnections: resolved.maxConnections,
    onDrop: () => warnOfDrop({ setting: 'http.maxConnections' }, 'A connection was one too many and was closed'),
    async answer(request, response) {
      response.setHeader('x-content-type-options', 'nosniff');
      const [path = '', ...rest] = (request.url ?? '').split('?');
      if (!calls.has(path) && (await options.front?.(request, response))) return;
      if (path === '/admin' || path.startsWith('/admin/')) return admin(request, response, path, rest.join('?'));
      return answerWireCall(request, response, calls.get(path), around);
    },
  });
  warnOfSharedToken(resolved, port.log);
  return {
    ...listening,
    close() {
      streams.close();
      return listening.close();
    },
  };
}

function warnOfSharedToken({ host, accessToken, adminToken }: ResolvedHttpOptions, log: Logger): void {
  if (isLoopback(host) || accessToken !== adminToken) return;
  log.warn(
    { setting: 'http.adminToken', host },
    'Executors and administrators share one token: set http.adminToken, so that an executor cannot administer',
  );
}

function wireCalls({ ring, results }: RingServerPort): ReadonlyMap<string, WireCall> {
  const register = registryCall((executor) => ring.executors.register(executor));
  const remove = registryCall((executor) => ring.executors.remove(executor));
  const callback: WireCall = {
    async answer(body) {
      const { results: items, problem } = parseCallback(body);
      const refusal = items.length === 0 ? null : await results(items);
      return refusal === null && problem === null ? accepted() : refused((problem ?? refusal)!);
    },
  };
  return new Map(
    ['', XXL_PREFIX].flatMap((prefix) => [
      [prefix + schedulerPaths.registry, register],
      [prefix + schedulerPaths.registryRemove, remove],
      [prefix + schedulerPaths.callback, callback],
    ]),
  );
}

function registryCall(carryOut: (executor: RegistryEntry) => Promise<void>): WireCall {
  return {
    async answer(body) {
      const executor = parseRegistryMessage(body);
      if (typeof executor === 'string') return refused(executor);
      return (await refusalOf(carryOut(executor))) ?? accepted();
    },
  };
}

/** The ring's own refusals are returned to the caller; everything else is a fault of this node and goes to its log. */
async function refusalOf(work: Promise<void>): Promise<Reply | null> {
  try {
    await work;
    return null;
  } catch (error) {
    if (error instanceof TimeRingError) return refused(error.message);
    throw error;
  }
}
