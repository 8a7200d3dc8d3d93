import { request } from 'node:http';
import type { DemoProcess } from './demo-process.js';

export interface RawAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

/** A request with any headers at all, as an attacker's tool or another site's page would send it. */
export function askRaw(
  demo: Pick<DemoProcess, 'port'>,
  path: string,
  options: { method?: string; headers?: Record<string, string>; body?: string } = {},
): Promise<RawAnswer> {
  const { method = 'GET', body } = options;
  const headers = {
    ...options.headers,
    ...(body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }),
  };
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port: demo.port, path, method, headers, agent: false }, (response) => {
      let text = '';
      response.on('data', (chunk) => {
        text += String(chunk);
        // The stream of events has no end of its own.
        if (path === '/api/events' && text.includes('event: overview')) response.destroy();
      });
      response.on('close', () => resolve({ status: response.statusCode!, headers: response.headers, body: text }));
      response.on('error', () => {});
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

/** The token that the page gets. */
export async function tokenOf(demo: Pick<DemoProcess, 'port'>): Promise<string> {
  const { body } = await askRaw(demo, '/api/events');
  return (JSON.parse(/event: hello\ndata: (.*)/.exec(body)![1]!) as { token: string }).token;
}
