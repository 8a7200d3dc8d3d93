import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from '../model/logger.js';
import { type Reply, refused, replyText } from '../wire/reply.js';
import type { TokenCheck } from './access-token.js';
import type { ListenOptions } from './http-options.js';
import { hostNameOf, isForeignOrigin, isLoopbackHostHeader } from './loopback.js';
import { parseJson, RequestProblem, readBody } from './read-body.js';
import type { RefusedTokens } from './refused-tokens.js';

/** One call of the wire protocol. */
export interface WireCall {
  /** A call without content accepts any body. */
  readonly isBodyless?: boolean;
  answer(body: unknown, response: ServerResponse): Reply | Promise<Reply>;
}

export interface WireContext {
  readonly options: ListenOptions;
  readonly isToken: TokenCheck;
  readonly onRefusedToken: RefusedTokens;
  /** The name in this server's public URL, under which it may be called besides loopback names. */
  readonly publicHost?: string | undefined;
  readonly log: Logger;
}

/** Answers one call: HTTP 200 and a code, except for requests that are not calls at all. `call` is undefined for an unknown path. */
export async function answerWireCall(
  request: IncomingMessage,
  response: ServerResponse,
  call: WireCall | undefined,
  around: WireContext,
): Promise<void> {
  const send = (status: number, reply: Reply) =>
    sendJson(response, status, replyText(reply, around.options.payloadField));
  if (call === undefined) return send(404, refused('Unknown path'));
  if (request.method !== 'POST') {
    response.setHeader('allow', 'POST');
    return send(405, refused('Calls are made with POST'));
  }
  const refusal = refusalOf(request, around);
  if (refusal !== null) return send(200, refused(refusal));
  try {
    const text = await readBody(request, around);
    send(200, await call.answer(call.isBodyless ? undefined : parseJson(text), response));
  } catch (error) {
    if (!(error instanceof RequestProblem)) {
      if (request.destroyed && !request.complete) return;
      around.log.error({ err: error, path: request.url }, 'A call could not be answered');
      return send(200, refused('Internal error: see the log of the server'));
    }
    if (error.status === 413) response.setHeader('connection', 'close');
    send(error.status, refused(error.message));
  }
}

function refusalOf(request: IncomingMessage, around: WireContext): string | null {
  const { options, isToken } = around;
  const header = request.headers[options.tokenHeader.toLowerCase()];
  const given = Array.isArray(header) ? header.join(',') : header;
  if (!isToken(given)) {
    around.onRefusedToken(request, given);
    return 'The access token is wrong';
  }
  if (options.accessToken !== undefined) return null;
  // Without a token a page in a browser on this machine could also call: browsers send the origin of a page, and a page that
  // has pointed its own host name at this machine calls under that name.
  if (isForeignOrigin(request.headers.origin)) return 'Calls from web pages are refused: set an accessToken';
  const { host } = request.headers;
  if (isLoopbackHostHeader(host) || (host !== undefined && hostNameOf(host) === around.publicHost)) return null;
  return 'Without an accessToken calls are taken only under loopback names: set an accessToken';
}

/** Sends a complete JSON text. */
export function sendJson(response: ServerResponse, status: number, text: string): void {
  const body = Buffer.from(text);
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', 'content-length': body.length });
  response.end(response.req.method === 'HEAD' ? undefined : body);
}
