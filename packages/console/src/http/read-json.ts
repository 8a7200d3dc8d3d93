import type { z } from 'zod';
import { Problem } from './problem.js';

/** The bytes of a request's body. Throws 413 when there are more than the limit; no more is ever kept. */
export async function readBody(request: Request, limit: number): Promise<Uint8Array<ArrayBuffer>> {
  const tooLarge = () => new Problem(413, 'body-too-large', `The body is larger than ${limit} bytes`);
  if (Number(request.headers.get('content-length') ?? 0) > limit) throw tooLarge();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of bodyChunks(request)) {
    size += chunk.length;
    if (size > limit) throw tooLarge();
    chunks.push(chunk);
  }
  const body = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    body.set(chunk, at);
    at += chunk.length;
  }
  return body;
}

/** Node's streams of the web are iterable; the types of browsers do not declare it. */
function bodyChunks({ body }: Request): AsyncIterable<Uint8Array> | Iterable<never> {
  return body === null ? [] : (body as unknown as AsyncIterable<Uint8Array>);
}

const MAX_BYTES = 65_536;

/** The checked JSON of a request. Throws 415 for another type of body, which a form of another site could send, and 400. */
export async function readJson<Shape extends z.ZodType>(request: Request, shape: Shape): Promise<z.output<Shape>> {
  const type = (request.headers.get('content-type') ?? '').split(';')[0]!.trim().toLowerCase();
  if (type !== 'application/json')
    throw new Problem(415, 'unsupported-media-type', 'The body must be content-type: application/json');
  const text = new TextDecoder().decode(await readBody(request, MAX_BYTES));
  const result = shape.safeParse(parsed(text));
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw new Problem(400, 'bad-request', `${issue!.path.join('.') || 'body'}: ${issue!.message}`);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Problem(400, 'bad-request', 'The body is not JSON');
  }
}
