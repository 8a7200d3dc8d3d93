import { Hono } from 'hono';
import { z } from 'zod';
import { readBody } from '../http/read-body.js';
import { checkReceipt, runBatch } from './rewrite-batch.js';
import { editDocument } from './shared-document.js';

const key = z.string().min(1).max(60);
const drafts = z
  .array(z.object({ name: key, reads: z.array(key).max(40), writes: z.array(key).max(40) }))
  .max(40)
  .refine(
    (list) => new Set(list.map(({ name }) => name)).size === list.length,
    'every rewrite needs a name of its own',
  );

/** The page's requests to the rewrite scheduler. */
export function rewriteRoutes(): Hono {
  return new Hono()
    .post('/batch', async (context) => {
      const body = await readBody(context, z.object({ drafts }));
      return context.json(runBatch(body.drafts));
    })
    .post('/document', async (context) => {
      const body = await readBody(context, z.object({ workers: z.int().min(0).max(4) }));
      return context.json(await editDocument(body.workers));
    })
    .post('/verify', async (context) => {
      const body = await readBody(context, z.object({ drafts, bytes: z.string().max(200_000) }));
      return context.json(checkReceipt(body.bytes, body.drafts));
    });
}
