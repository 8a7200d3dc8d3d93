import type { AddressInfo } from 'node:net';
import { serve } from '@hono/node-server';
import type { Hono } from 'hono';

export interface Listening {
  readonly port: number;
  close(): Promise<void>;
}

/** How many ports after a busy one are tried, before the system chooses. */
const TRIES = 20;

/** Serves on the first free port from `port` on. */
export async function listen(app: Hono, host: string, port: number): Promise<Listening> {
  for (let candidate = port; candidate < port + TRIES && candidate <= 65_535; candidate++) {
    const found = await tryListen(app, host, candidate);
    if (found !== null) return found;
    if (port === 0) break;
  }
  const any = await tryListen(app, host, 0);
  if (any === null) throw new Error(`No port of ${host} is free.`);
  return any;
}

function tryListen(app: Hono, host: string, port: number): Promise<Listening | null> {
  return new Promise((resolve, reject) => {
    const server = serve({ fetch: app.fetch, hostname: host, port });
    server.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' ? resolve(null) : reject(error),
    );
    server.once('listening', () => {
      const close = () =>
        new Promise<void>((closed) => {
          server.close(() => closed());
          if ('closeAllConnections' in server) server.closeAllConnections();
        });
      resolve({ port: (server.address() as AddressInfo).port, close });
    });
  });
}
