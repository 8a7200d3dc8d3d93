import { createHmac } from 'node:crypto';
import { request as plainRequest } from 'node:http';
import { request as secureRequest } from 'node:https';
import type { Clock } from '@horae/clock-store';
import type { SendAlert } from '../engine/alerts/send-alert.js';
import type { AlertChannel, AlertMessage, WebhookFormat } from '../model/alert.js';

type Webhook = Extract<AlertChannel, { kind: 'webhook' }>;

/** Posts messages to a URL. Any 2xx counts as delivered; everything else is retried. */
export function webhookSender({ url, secret, format = 'json' }: Webhook, clock: Pick<Clock, 'now'>): SendAlert {
  return (message, { signal }) => {
    const now = clock.now();
    const timestamp = String(Math.floor(now / 1_000));
    const body = JSON.stringify(bodies[format](message, { timestamp, secret }));
    const headers: Record<string, string | number> = {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      'x-horae-timestamp': timestamp,
      'x-horae-alert': String(message.id),
    };
    if (secret !== undefined) headers['x-horae-signature'] = signatureOf(secret, timestamp, body);
    return post(format === 'dingtalk' ? dingtalkUrl(url, secret, now) : new URL(url), headers, body, signal);
  };
}

/** `sha256=` and the HMAC-SHA256 of timestamp, dot and body in hex. */
export function signatureOf(secret: string, timestamp: string, body: string): string {
  return `sha256=${createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')}`;
}

interface Signing {
  readonly timestamp: string;
  readonly secret: string | undefined;
}

/** The request body that each service expects. */
const bodies: Readonly<Record<WebhookFormat, (message: AlertMessage, signing: Signing) => object>> = {
  json: (message) => message,
  slack: ({ text }) => ({ text }),
  dingtalk: ({ text }) => ({ msgtype: 'text', text: { content: text } }),
  wecom: ({ text }) => ({ msgtype: 'text', text: { content: text } }),
  feishu: ({ text }, signing) => ({ ...feishuSignature(signing), msg_type: 'text', content: { text } }),
  teams: ({ text }) => ({
    type: 'message',
    attachments: [
      {
        contentType: 'application/vnd.microsoft.card.adaptive',
        content: {
          $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
          type: 'AdaptiveCard',
          version: '1.4',
          body: [{ type: 'TextBlock', text, wrap: true }],
        },
      },
    ],
  }),
};

/** DingTalk robots with a secret require their own signature in the URL. */
function dingtalkUrl(url: string, secret: string | undefined, now: number): URL {
  const signed = new URL(url);
  if (secret === undefined) return signed;
  const timestamp = String(Math.floor(now));
  signed.searchParams.set('timestamp', timestamp);
  signed.searchParams.set('sign', createHmac('sha256', secret).update(`${timestamp}\n${secret}`).digest('base64'));
  return signed;
}

/** Feishu robots with a secret require their own signature in the body. */
function feishuSignature({ timestamp, secret }: Signing): object {
  if (secret === undefined) return {};
  return { timestamp, sign: createHmac('sha256', `${timestamp}\n${secret}`).digest('base64') };
}

function post(url: URL, headers: Record<string, string | number>, body: string, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const send = url.protocol === 'https:' ? secureRequest : plainRequest;
    // A new connection each time: alerts are rare, and intermediaries close connections that are idle for minutes.
    const request = send(url, { method: 'POST', headers, agent: false, signal });
    request.on('error', reject);
    request.on('response', (response) => {
      const status = response.statusCode ?? 0;
      response.resume();
      response.on('error', reject);
      response.on('end', () => {
        if (status >= 200 && status < 300) resolve();
        else reject(new Error(`${url.origin} answered HTTP ${status}`));
      });
    });
    request.end(body);
  });
}
