import type { Clock } from '@horae/clock-store';
import { adminRoutes } from '../admin/admin-routes.js';
import { createAdminServer } from '../admin/admin-server.js';
import { createEventStreams } from '../admin/event-streams.js';
import type { Logger } from '../logger.js';
import { TimeRingError } from '../time-ring-error.js';
import type { RingHttpOptions, TimeRing } from '../time-ring-interface.js';
import { parseCallback } from '../wire/callback-message.js';
import { schedulerPaths, XXL_PREFIX } from '../wire/dialect.js';
import { parseRegistryMessage } from '../wire/registry-message.js';
import { accepted, type Reply, refused } from '../wire/reply.js';
import { createTokenCheck } from './access-token.js';
import { resolveHttpOptions } from './http-options.js';
import { type Listening, startListening } from './listening.js';
import type { RemoteResult } from './remote-calls.js';
import { answerWireCall, type WireCall } from './wire-answer.js';

/** What the server needs of the engine. */
export interface RingServerPort {
  readonly ring: TimeRing;
  /** Records results that executors called back; those of unknown and finished runs are nobody's. */
  results(items: readonly RemoteResult[]): Promise<void>;
  readonly clock: Clock;
  readonly log: Logger;
}

/** The HTTP side of a node: executors register and report here, people and programs administer. Resolves when it listens. */
export async function createRingServer(options: RingHttpOptions, port: RingServerPort): Promise<Listening> {
  const resolved = resolveHttpOptions(options);
  const around = { options: resolved, isToken: createTokenCheck(resolved.accessToken), log: port.log };
  const calls = wireCalls(port);
  const streams = createEventStreams(port.ring, port.clock);
  const admin = createAdminServer(adminRoutes(port.ring, streams), around);

  const listening = await startListening({
    host: resolved.host,
    port: resolved.port,
    clock: port.clock,
    answer(request, response) {
      response.setHeader('x-content-type-options', 'nosniff');
      const [path = '', ...rest] = (request.url ?? '').split('?');
      if (path === '/admin' || path.startsWith('/admin/')) return admin(request, response, path, rest.join('?'));
      return answerWireCall(request, response, calls.get(path), around);
    },
  });
  return {
    ...listening,
    close() {
      streams.close();
      return listening.close();
    },
  };
}

function wireCalls({ ring, results }: RingServerPort): ReadonlyMap<string, WireCall> {
  const register = registryCall((executor) => ring.executors.register(executor));
  const remove = registryCall((executor) => ring.executors.remove(executor));
  const callback: WireCall = {
    async answer(body) {
      const { results: items, problem } = parseCallback(body);
      const refusal = items.length === 0 ? null : await refusalOf(results(items));
      return refusal ?? (problem === null ? accepted() : refused(problem));
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

function registryCall(carryOut: (executor: { group: string; address: string }) => Promise<void>): WireCall {
  return {
    async answer(body) {
      const executor = parseRegistryMessage(body);
      if (typeof executor === 'string') return refused(executor);
      return (await refusalOf(carryOut(executor))) ?? accepted();
    },
  };
}

/** The ring's own refusals are told to the caller; everything else is a fault of this node and goes to its log. */
async function refusalOf(work: Promise<void>): Promise<Reply | null> {
  try {
    await work;
    return null;
  } catch (error) {
    if (error instanceof TimeRingError) return refused(error.message);
    throw error;
  }
}
