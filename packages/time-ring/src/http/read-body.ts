import type { IncomingMessage } from 'node:http';
import type { Logger } from '../model/logger.js';

/** A request that cannot be accepted; the status says why. */
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

/** A sender may miss a refusal that arrives before it has sent everything, so this much more is read and discarded first. */
const MAX_THROWN_AWAY = 16 * 1_048_576;

/** The limit of a body, and the listener for bodies beyond it. */
export interface BodyLimit {
  readonly options: { readonly maxBodyBytes: number; readonly maxBodySetting: string };
  readonly log: Logger;
}

/** The text of a request's body. Throws `RequestProblem` 413 when it is longer than the limit; it never buffers more. */
export async function readBody(request: IncomingMessage, { options, log }: BodyLimit): Promise<string> {
  const { maxBodyBytes: limit, maxBodySetting: setting } = options;
  const announced = Number(request.headers['content-length'] ?? 0);
  const chunks: Buffer[] = [];
  let size = 0;
  if (announced <= limit + MAX_THROWN_AWAY) {
    for await (const chunk of request.iterator({ destroyOnReturn: false })) {
      size += (chunk as Buffer).length;
      if (size <= limit) chunks.push(chunk as Buffer);
      else if (size > limit + MAX_THROWN_AWAY) break;
      else chunks.length = 0;
    }
  }
  const bytes = Math.max(announced, size);
  if (bytes > limit) {
    log.warn({ bytes, limit, setting }, 'A body was refused: it is larger than the limit');
    throw new RequestProblem(413, 'body-too-large', `The body is larger than ${limit} bytes (${setting})`);
  }
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
