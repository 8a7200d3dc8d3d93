import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';

/** Answers a Node request. */
export type NodeAnswer = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/**
 * Lets code written for Node's requests answer a web `Request`. The request body is in memory; the response body is a stream, which ends
 * the response when its reader cancels.
 */
export async function answerFetch(request: Request, path: string, answer: NodeAnswer): Promise<Response> {
  const incoming = incomingOf(request, path, Buffer.from(await request.arrayBuffer()));
  const outgoing = new ServerResponse(incoming);
  const answered = capture(outgoing);
  void answer(incoming, outgoing).catch((error) => outgoing.destroy(error));
  return answered;
}

function incomingOf(request: Request, path: string, body: Buffer): IncomingMessage {
  const incoming = new IncomingMessage(new Socket());
  incoming.method = request.method;
  incoming.url = path;
  for (const [name, value] of request.headers) incoming.headers[name] = value;
  incoming.headers['content-length'] = String(body.length);
  delete incoming.headers['transfer-encoding'];
  if (body.length > 0) incoming.push(body);
  incoming.push(null);
  incoming.complete = true;
  return incoming;
}

/** Collects the output of a response that has no connection. */
function capture(outgoing: ServerResponse): Promise<Response> {
  return new Promise((resolve, reject) => {
    let sink: ReadableStreamDefaultController<Uint8Array> | undefined;
    let isOver = false;
    const over = () => {
      if (isOver) return;
      isOver = true;
      outgoing.emit('close');
    };
    const begin = () => {
      if (sink !== undefined) return;
      const isEmpty = outgoing.statusCode === 204 || outgoing.statusCode === 304;
      const body = new ReadableStream<Uint8Array>({
        start(controller) {
          sink = controller;
        },
        cancel: over,
      });
      resolve(new Response(isEmpty ? null : body, { status: outgoing.statusCode, headers: headersOf(outgoing) }));
    };
    const give = (chunk: unknown) => {
      if (isOver || chunk === undefined || chunk === null || typeof chunk === 'function') return;
      sink!.enqueue(typeof chunk === 'string' ? Buffer.from(chunk) : (chunk as Uint8Array));
    };
    Object.assign(outgoing, {
      writeHead(status: number, headers: Record<string, string | number> = {}) {
        outgoing.statusCode = status;
        for (const [name, value] of Object.entries(headers)) outgoing.setHeader(name, value);
        return outgoing;
      },
      write(chunk: unknown) {
        begin();
        give(chunk);
        return true;
      },
      end(chunk?: unknown) {
        begin();
        give(chunk);
        if (!isOver) sink!.close();
        over();
        return outgoing;
      },
      destroy(error?: Error) {
        if (sink === undefined) reject(error ?? new Error('The answer was given up'));
        else if (!isOver) sink.error(error ?? new Error('The answer was cut off'));
        over();
        return outgoing;
      },
    });
    // An unread stream grows; the writers check this before they write.
    Object.defineProperty(outgoing, 'writableLength', { get: () => Math.max(0, -(sink?.desiredSize ?? 0)) * 1_024 });
  });
}

function headersOf(outgoing: ServerResponse): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(outgoing.getHeaders())) headers.set(name, String(value));
  headers.delete('connection');
  return headers;
}
