import { refuse } from '../../state/midgard-input-error.js';
import type { Calls } from './chain-provider.js';
import { parseJson } from './parse-json.js';
import { ChainProviderError } from './provider-error.js';
import { type Attempt, callTermsOf, tryAgain, withinTime } from './try-again.js';

/** A request below the service's URL. */
export interface HttpRequest {
  readonly path: string;
  /** Makes it a POST. */
  readonly body?: string | Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
  /** False for requests that must not be repeated. Default true. */
  readonly mayRepeat?: boolean;
  /** Statuses that are answers, besides those from 200 to 299. */
  readonly expects?: readonly number[];
}

/** An answer with its JSON. */
export interface HttpAnswer {
  readonly status: number;
  readonly body: unknown;
  readonly headers: Headers;
}

/** The address of a service and the credentials of its user. */
export interface HttpService {
  readonly provider: string;
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Replaced wherever the service repeats them. */
  readonly secrets?: readonly string[];
  readonly calls: Calls;
}

/** Errors before anything was sent. */
const NOT_SENT = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH']);

/** Sends requests to one service, again after 425, 429, 5xx, timeouts and lost connections; every other failure is `provider-refused`. */
export function httpCaller(service: HttpService): (request: HttpRequest) => Promise<HttpAnswer> {
  const { provider, secrets = [] } = service;
  if (!/^https?:\/\/[^/]/.test(String(service.url))) refuse(`url of ${provider}`, 'an http or https address', '…');
  const base = service.url.replace(/\/+$/, '');
  const terms = callTermsOf(service.calls);

  async function attempt(request: HttpRequest): Promise<Attempt<{ response: Response; text: string }>> {
    try {
      const answer = await withinTime(terms, async (signal) => {
        const response = await fetch(base + request.path, {
          method: request.body === undefined ? 'GET' : 'POST',
          headers: { ...service.headers, ...request.headers },
          // Followed, a redirect would take the user's key to another server, and make a GET of a submission.
          redirect: 'manual',
          signal,
          ...(request.body === undefined ? {} : { body: request.body as string | Uint8Array<ArrayBuffer> }),
        });
        return { response, text: await response.text() };
      });
      if (answer === null) return { kind: 'failed', why: `no answer within ${terms.timeoutMs} ms`, arrived: true };
      const { status } = answer.response;
      if (status === 429) return { kind: 'failed', why: 'too many requests', status, arrived: false };
      // Blockfrost's status for a node that accepts no transactions at the moment.
      if (status === 425) return { kind: 'failed', why: 'the mempool is full', status, arrived: false };
      if (status >= 500) return { kind: 'failed', why: `the service answered ${status}`, status, arrived: true };
      return { kind: 'answer', answer };
    } catch (error) {
      const code = networkCode(error);
      return { kind: 'failed', why: `no connection (${code})`, arrived: !NOT_SENT.has(code) };
    }
  }

  return async (request) => {
    const { mayRepeat = true, expects = [] } = request;
    const { response, text } = await tryAgain(provider, terms, mayRepeat, () => attempt(request));
    const { status, headers } = response;
    if (response.ok || expects.includes(status)) return { status, headers, body: parseJson(provider, text) };
    throw new ChainProviderError('provider-refused', `answered ${status}: ${shortened(text, secrets)}`, {
      provider,
      status,
    });
  };
}

/** The code of the socket, never the message: that names the server, whose name may be a secret. */
function networkCode(error: unknown): string {
  const { cause } = error as { cause?: { code?: unknown } };
  return typeof cause?.code === 'string' ? cause.code : 'lost';
}

/** The beginning of the service's answer, without the secrets of its user. */
export function shortened(text: string, secrets: readonly string[]): string {
  const clean = secrets.filter((secret) => secret !== '').reduce((left, secret) => left.replaceAll(secret, '…'), text);
  return clean.length > 1_000 ? `${clean.slice(0, 1_000)}…` : clean;
}
