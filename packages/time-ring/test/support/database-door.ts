import { connect, createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** A door in front of a database server: shut, it loses every connection, as a server does that goes away. */
export interface DatabaseDoor {
  readonly url: string;
  shut(): void;
  open(): void;
}

export async function doorTo(url: string): Promise<DatabaseDoor> {
  const target = new URL(url);
  const sockets = new Set<Socket>();
  let isOpen = true;
  const server = createServer((client) => {
    if (!isOpen) return void client.destroy();
    const upstream = connect(Number(target.port), target.hostname);
    join(client, upstream, sockets);
    join(upstream, client, sockets);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const shut = () => {
    isOpen = false;
    for (const socket of sockets) socket.destroy();
  };
  onTestFinished(() => {
    shut();
    server.close();
  });
  const door = new URL(url);
  door.port = String((server.address() as { port: number }).port);
  return {
    url: door.href,
    shut,
    open() {
      isOpen = true;
    },
  };
}

function join(from: Socket, to: Socket, sockets: Set<Socket>): void {
  sockets.add(from);
  from.on('error', () => to.destroy());
  from.on('close', () => {
    sockets.delete(from);
    to.destroy();
  });
  from.pipe(to);
}
