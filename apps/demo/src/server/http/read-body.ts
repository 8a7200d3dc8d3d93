import type { Context } from 'hono';
import { z } from 'zod';

/** An invalid request; the message names what is expected. */
export class BadRequest extends Error {
  readonly code = 'bad-request';
}

/** The JSON body in the expected shape; a fault is named with its path. */
export async function readBody<S extends z.ZodType>(context: Context, shape: S): Promise<z.infer<S>> {
  let value: unknown;
  try {
    value = await context.req.json();
  } catch {
    throw new BadRequest('The body is not JSON.');
  }
  const parsed = shape.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new BadRequest(z.prettifyError(parsed.error));
}
