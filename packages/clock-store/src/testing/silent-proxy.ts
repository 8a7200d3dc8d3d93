import { connect, createServer, type Socket } from 'node:net';

/** A route to a server on which everything can be lost silently: no end, no reset, no answer. */
export interface SilentProxy extends AsyncDisposable {
  /** The server's URL through the proxy. */
  readonly url: string;
  /** From now on nothing is carried in either direction; new connections are accepted and lead nowhere. */
  silence(): void;
  /** New connections lead to the server again. Silenced connections stay silent. */
  restore(): void;
  close(): Promise<void>;
}

/** Starts a proxy on loopback to the server of a URL, to try what a dropped flow or a proxy without a backend does. */
export async function startSilentProxy(url: string): Promise<SilentProxy> {
  const target = new URL(url);
  const sockets = new Set<Socket>();
  let isSilent = false;
  const track = (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
    return socket;
  };
  const server = createServer((client) => {
    track(client);
    if (isSilent) return void client.resume();
    const upstream = track(connect(Number(target.port), target.hostname));
    client.pipe(upstream);
    upstream.pipe(client);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      for (const socket of sockets) socket.destroy();
    });
  const proxied = new URL(url);
  proxied.port = String((server.address() as { port: number }).port);
  return {
    url: proxied.href,
    silence() {
      isSilent = true;
      for (const socket of sockets) {
        socket.unpipe();
        socket.pause();
      }
    },
    restore() {
      isSilent = false;
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}
