import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';

/** A request of Node's, with what Express and its like add to it. */
export type NodeRequest = IncomingMessage & { originalUrl?: string; body?: unknown };

/** A request of Node's as a web request. A body that a parser has already read is serialized again. */
export function webRequest(incoming: NodeRequest, signal: AbortSignal): Request {
  const isTls = 'encrypted' in incoming.socket && incoming.socket.encrypted === true;
  const host = incoming.headers.host ?? 'localhost';
  const path = incoming.originalUrl ?? incoming.url ?? '/';
  const headers = new Headers();
  for (const [name, value] of Object.entries(incoming.headers)) {
    if (value !== undefined) headers.set(name, Array.isArray(value) ? value.join(', ') : value);
  }
  const method = incoming.method ?? 'GET';
  const hasBody = method !== 'GET' && method !== 'HEAD';
  return new Request(`${isTls ? 'https' : 'http'}://${host}${path}`, {
    method,
    headers,
    signal,
    ...(hasBody ? { body: bodyOf(incoming), duplex: 'half' } : {}),
  } as RequestInit);
}

function bodyOf(incoming: NodeRequest): BodyInit | null {
  if (!incoming.readableEnded) return Readable.toWeb(incoming) as ReadableStream<Uint8Array<ArrayBuffer>>;
  if (incoming.body === undefined || incoming.body === null) return null;
  if (typeof incoming.body === 'string' || incoming.body instanceof Uint8Array) return incoming.body as BodyInit;
  return JSON.stringify(incoming.body);
}

/** Writes a web response to a response of Node's, as it comes. */
export async function sendResponse(response: Response, outgoing: ServerResponse, signal: AbortSignal): Promise<void> {
  const headers: Record<string, string | string[]> = Object.fromEntries(response.headers);
  const cookies = response.headers.getSetCookie();
  if (cookies.length > 0) headers['set-cookie'] = cookies;
  outgoing.writeHead(response.status, headers);
  if (response.body === null) return void outgoing.end();
  const reader = response.body.getReader();
  const cancel = () => void reader.cancel().catch(() => {});
  signal.addEventListener('abort', cancel, { once: true });
  try {
    for (let read = await reader.read(); !read.done && !signal.aborted; read = await reader.read()) {
      if (!outgoing.write(read.value)) await drained(outgoing, signal);
    }
    outgoing.end();
  } catch {
    outgoing.destroy();
  } finally {
    signal.removeEventListener('abort', cancel);
  }
}

/** Resolves when more may be written, or when the connection is closed. */
function drained(outgoing: ServerResponse, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      outgoing.off('drain', done);
      signal.removeEventListener('abort', done);
      resolve();
    };
    outgoing.once('drain', done);
    signal.addEventListener('abort', done, { once: true });
  });
}
