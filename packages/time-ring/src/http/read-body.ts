import type { IncomingMessage } from 'node:http';

/** A request that cannot be taken as it is: the status says why. */
export class RequestProblem extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly issues?: readonly { readonly path: string; readonly message: string }[],
  ) {
    super(message);
  }
}

/** A sender that is told no before it has sent all may not hear it: so much more is read and thrown away first. */
const MOST_THROWN_AWAY = 16 * 1_048_576;

/** The text of a request's body. Throws `RequestProblem` 413 when it is longer than `limit` bytes; so much is never kept. */
export async function readBody(request: IncomingMessage, limit: number): Promise<string> {
  if (Number(request.headers['content-length'] ?? 0) > limit + MOST_THROWN_AWAY) throw tooLarge(limit);
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    size += (chunk as Buffer).length;
    if (size <= limit) chunks.push(chunk as Buffer);
    else if (size > limit + MOST_THROWN_AWAY) break;
    else chunks.length = 0;
  }
  if (size > limit) throw tooLarge(limit);
  return (chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)).toString('utf8');
}

/** The value of a JSON text. Throws `RequestProblem` 400. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new RequestProblem(400, 'bad-request', 'The body is not JSON');
  }
}

function tooLarge(limit: number): RequestProblem {
  return new RequestProblem(413, 'body-too-large', `The body is larger than ${limit} bytes`);
}
