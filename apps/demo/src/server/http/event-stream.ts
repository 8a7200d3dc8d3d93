import type { Context } from 'hono';
import type { Clock } from 'horae/time';
import type { Hello } from '../../wire/session.js';
import type { LiveHub } from './live-hub.js';

/** More pages than this at once are refused; a person has a few. */
const MAX_STREAMS = 40;
const HEARTBEAT_MS = 10_000;

/** Server-sent events: the server's identity, all snapshots, then every change until the page or the server goes away. */
export function eventStream(context: Context, hub: LiveHub, clock: Clock, hello: Hello, ending: AbortSignal): Response {
  if (hub.listeners >= MAX_STREAMS)
    return context.json({ error: { code: 'too-many-pages', message: 'Too many pages are open; close one.' } }, 503);
  const encoder = new TextEncoder();
  const gone = new AbortController();
  const end = AbortSignal.any([gone.signal, ending]);
  const body = new ReadableStream<Uint8Array>(
    {
      async start(controller) {
        const write = (text: string) => {
          if (end.aborted) return;
          // A page that does not read is disconnected instead of being buffered for; it reconnects by itself.
          if ((controller.desiredSize ?? 0) < -2_000_000) return gone.abort();
          controller.enqueue(encoder.encode(text));
        };
        const send = (event: string, data: string) => write(`event: ${event}\ndata: ${data}\n\n`);
        write('retry: 700\n');
        send('hello', JSON.stringify({ ...hello, now: clock.now() }));
        const remove = await hub.listen(send);
        const close = () => {
          remove();
          try {
            controller.close();
          } catch {
            // The page has closed it already.
          }
        };
        if (end.aborted) return close();
        end.addEventListener('abort', close, { once: true });
        while (!end.aborted) {
          await clock.sleepFor(HEARTBEAT_MS, { signal: end }).catch(() => {});
          write(': still here\n\n');
        }
      },
      cancel: () => gone.abort(),
    },
    { highWaterMark: 16, size: (chunk) => chunk?.byteLength ?? 0 },
  );
  return new Response(body, {
    headers: {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      connection: 'keep-alive',
    },
  });
}
