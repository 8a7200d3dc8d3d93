import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Clock } from '@horae/clock-store';
import { TimeRingError } from '../model/errors.js';

/** A listening server. */
export interface Listening {
  /** Without a trailing slash. */
  readonly url: string;
  readonly host: string;
  readonly port: number;
  /** Accepts no more calls, lets those under way end (2 s), and closes the port. May be called twice. */
  close(): Promise<void>;
}

export interface ListeningOptions {
  readonly host: string;
  readonly port: number;
  readonly clock: Clock;
  readonly maxConnections: number;
  /** Called for every connection beyond the limit. */
  onDrop(): void;
  answer(request: IncomingMessage, response: ServerResponse): Promise<void>;
}

/** A caller that is slower than this is disconnected. */
const REQUEST_TIMEOUT_MS = 30_000;
const HEADERS_TIMEOUT_MS = 15_000;
/** Longer than two heartbeats, so that a caller never sends into a closing connection. */
const KEEP_ALIVE_MS = 65_000;
const CLOSE_GRACE_MS = 2_000;

/** Resolves when the port is open; rejects with 'bad-option' when it cannot be. */
export async function startListening(options: ListeningOptions): Promise<Listening> {
  const { host, port, clock, answer } = options;
  const underWay = new Map<Promise<void>, IncomingMessage>();
  const server = createServer(
    { requestTimeout: REQUEST_TIMEOUT_MS, headersTimeout: HEADERS_TIMEOUT_MS, keepAliveTimeout: KEEP_ALIVE_MS },
    (request, response) => {
      const answering = answer(request, response).catch(() => void response.destroy());
      underWay.set(answering, request);
      void answering.then(() => underWay.delete(answering));
    },
  );
  server.maxConnections = options.maxConnections;
  server.on('drop', options.onDrop);
  await open(server, host, port);
  const { port: actualPort } = server.address() as AddressInfo;
  let closing: Promise<void> | undefined;

  async function close(): Promise<void> {
    const closed = new Promise<void>((resolve) => void server.close(() => resolve()));
    server.closeIdleConnections();
    // Callers that have not finished their request are not waited for.
    for (const request of underWay.values()) if (!request.complete) request.destroy();
    const grace = new AbortController();
    const late = clock.sleepFor(CLOSE_GRACE_MS, { signal: grace.signal }).catch(() => {});
    await Promise.race([Promise.all(underWay.keys()), late]);
    grace.abort();
    server.closeAllConnections();
    await closed;
  }

  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${actualPort}`,
    host,
    port: actualPort,
    close: () => (closing ??= close()),
  };
}

function open(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = (cause: Error) => {
      const message = `Cannot listen on ${host}:${port} (${cause.message}): free the port or take another, 0 for any`;
      reject(new TimeRingError('bad-option', message, { field: 'port', value: port }, { cause }));
    };
    server.once('error', fail);
    server.listen({ host, port }, () => {
      server.off('error', fail);
      resolve();
    });
  });
}
