import { type Agent, type IncomingHttpHeaders, type OutgoingHttpHeaders, request } from 'node:http';

/** An answer as it came. */
export interface RawAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** Sends a request as it is told, tricks included: the path is not tidied up, and any header can be set. */
export function rawRequest(
  url: string,
  options: {
    method?: string;
    path?: string;
    headers?: OutgoingHttpHeaders;
    body?: string | Buffer;
    agent?: Agent;
  } = {},
): Promise<RawAnswer> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const { method = 'GET', path = '/', headers = {}, body, agent } = options;
    // Node gives no length to the body of methods that usually have none; the server would take it for the next request.
    const length =
      body === undefined || 'transfer-encoding' in headers ? {} : { 'content-length': Buffer.byteLength(body) };
    const sent = request(
      { hostname, port, method, path, headers: { ...length, ...headers }, agent },
      async (response) => {
        const chunks: Buffer[] = [];
        try {
          for await (const chunk of response) chunks.push(chunk as Buffer);
        } catch (error) {
          reject(error);
          return;
        }
        const text = Buffer.concat(chunks).toString();
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text });
      },
    );
    sent.on('error', reject);
    sent.end(body);
  });
}

/** Posts a JSON value. */
export async function postJson(url: string, path: string, value: unknown, headers: OutgoingHttpHeaders = {}) {
  const body = typeof value === 'string' ? value : JSON.stringify(value);
  const answer = await rawRequest(url, {
    method: 'POST',
    path,
    body,
    headers: { 'content-type': 'application/json', ...headers },
  });
  return { ...answer, body: answer.text === '' ? undefined : JSON.parse(answer.text) };
}
