import { createServer, type IncomingMessage, type Server } from 'node:http';
import { TimeRingError } from '@horae/time-ring';
import { z } from 'zod';
import type { Shop } from './shop.js';

const orderSchema = z.object({ email: z.string(), item: z.string().min(1).max(200) });
const MAX_BODY_BYTES = 10_000;

/** POST /orders and GET /orders/<id>. */
export function shopServer(shop: Shop): Server {
  return createServer(async (request, response) => {
    const { status, body } = await answer(shop, request).catch((error: unknown) => ({
      // Parameters that the queue's schema rejects: nothing was stored.
      status: error instanceof TimeRingError && error.code === 'bad-params' ? 400 : 500,
      body: { error: error instanceof Error ? error.message : String(error) },
    }));
    response.writeHead(status, { 'content-type': 'application/json' }).end(`${JSON.stringify(body)}\n`);
  });
}

async function answer(shop: Shop, request: IncomingMessage): Promise<{ status: number; body: unknown }> {
  const { pathname } = new URL(request.url ?? '/', 'http://shop');
  if (request.method === 'POST' && pathname === '/orders') {
    const input = orderSchema.safeParse(await readJson(request));
    if (!input.success) return { status: 400, body: { error: z.prettifyError(input.error) } };
    return { status: 201, body: await shop.order(input.data) };
  }
  const order = /^\/orders\/([\w-]+)$/.exec(pathname);
  if (request.method === 'GET' && order !== null) {
    const found = await shop.find(order[1]!);
    return found === null ? { status: 404, body: { error: 'no such order' } } : { status: 200, body: found };
  }
  return { status: 404, body: { error: 'POST /orders or GET /orders/<id>' } };
}

async function readJson(request: IncomingMessage): Promise<unknown> {
  let text = '';
  for await (const chunk of request.setEncoding('utf8')) {
    text += chunk;
    if (text.length > MAX_BODY_BYTES) return null;
  }
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
