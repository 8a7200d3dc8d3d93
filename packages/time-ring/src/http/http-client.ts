import { Agent, type IncomingMessage, request as plainRequest, type RequestOptions } from 'node:http';
import { Agent as SecureAgent, request as secureRequest } from 'node:https';
import type { Clock } from '@horae/clock-store';

/** The outcome of a POST: an answer, whatever it says, or a transport fault, including a timeout. */
export type PostResult =
  | { readonly kind: 'answered'; readonly status: number; readonly text: string }
  | { readonly kind: 'unreadable'; readonly message: string }
  | { readonly kind: 'fault'; readonly message: string };

/** Posts JSON over kept-alive connections. Never rejects. */
export interface HttpClient {
  post(url: URL, body: unknown, options: { timeoutMs: number; signal?: AbortSignal }): Promise<PostResult>;
  /** Ends the calls under way with a fault. */
  close(): void;
}

export interface HttpClientOptions {
  readonly clock: Clock;
  readonly tokenHeader: string;
  readonly accessToken: string | undefined;
}

/** Servers commonly close a connection that was idle for 5 s; this client closes it first, so that no call meets a closing connection. */
const IDLE_MS = 4_000;
const MAX_SOCKETS_AN_ADDRESS = 256;
const MAX_IDLE_SOCKETS = 2_048;
const LARGEST_ANSWER_BYTES = 8 * 1_048_576;
const OVER = new Error('over');

export function createHttpClient({ clock, tokenHeader, accessToken }: HttpClientOptions): HttpClient {
  const agentOptions = {
    keepAlive: true,
    timeout: IDLE_MS,
    maxSockets: MAX_SOCKETS_AN_ADDRESS,
    maxFreeSockets: MAX_IDLE_SOCKETS,
    scheduling: 'lifo',
  } as const;
  const plain = new Agent(agentOptions);
  const secure = new SecureAgent(agentOptions);

  return {
    post(url, body, { timeoutMs, signal }) {
      const payload = Buffer.from(JSON.stringify(body));
      const isSecure = url.protocol === 'https:';
      const headers: Record<string, string | number> = {
        'content-type': 'application/json',
        'content-length': payload.length,
        connection: 'keep-alive',
      };
      if (accessToken !== undefined) headers[tokenHeader] = accessToken;
      const options: RequestOptions = { method: 'POST', headers, agent: isSecure ? secure : plain };
      const over = new AbortController();
      return new Promise<PostResult>((resolve) => {
        const request = (isSecure ? secureRequest : plainRequest)(url, options);
        const finish = (result: PostResult) => {
          over.abort(OVER);
          signal?.removeEventListener('abort', cancel);
          resolve(result);
        };
        const giveUp = (message: string) => {
          finish({ kind: 'fault', message });
          request.destroy();
        };
        const cancel = () => giveUp('the call was given up');
        request.on('error', (error) => finish({ kind: 'fault', message: faultMessage(error) }));
        request.on('response', (response) => void readAnswer(response).then(finish));
        timeUp(clock, timeoutMs, { signal: over.signal, bytesRead: () => request.socket?.bytesRead ?? 0 }).then(
          () => giveUp(`no answer within ${timeoutMs} ms`),
          () => {},
        );
        if (signal?.aborted) cancel();
        else signal?.addEventListener('abort', cancel, { once: true });
        request.end(payload);
      });
    },
    close() {
      plain.destroy();
      secure.destroy();
    },
  };
}

/** The number of slices in which the time limit of a call is counted. */
const SLICES = 10;
/** A slice that ends later than by half its length, or than this, was spent by this process on something else. */
const TOLERATED_DELAY_MS = 50;
/** In a process that is delayed repeatedly, a call still ends after this many slices. */
const MAX_SLICES = 100;
/** An answer that is still arriving is read for this many turns of the event loop after the time limit. */
const MAX_TURNS = 100;

/**
 * Resolves when a call has used its time. A delayed process could not receive: such slices do not count, and data that has arrived on the
 * socket meanwhile is read first.
 */
async function timeUp(
  clock: Clock,
  timeoutMs: number,
  { signal, bytesRead }: { signal: AbortSignal; bytesRead(): number },
): Promise<void> {
  const slice = Math.ceil(timeoutMs / SLICES);
  let left = timeoutMs;
  for (let slices = 0; left > 0 && slices < MAX_SLICES; slices++) {
    const ms = Math.min(slice, left);
    const begun = clock.monotonicMs();
    await clock.sleepFor(ms, { signal });
    const delayMs = clock.monotonicMs() - begun - ms;
    if (delayMs <= Math.max(TOLERATED_DELAY_MS, slice / 2)) left -= ms;
  }
  let read = -1;
  for (let turn = 0; turn < MAX_TURNS && bytesRead() !== read; turn++) {
    read = bytesRead();
    // A sleep of 0 ms ends after the next poll of the sockets; a second one lets the answer be parsed.
    await clock.sleepFor(0, { signal });
    await clock.sleepFor(0, { signal });
  }
}

async function readAnswer(response: IncomingMessage): Promise<PostResult> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of response) {
      size += (chunk as Buffer).length;
      if (size > LARGEST_ANSWER_BYTES) {
        response.destroy();
        return { kind: 'unreadable', message: `the answer is larger than ${LARGEST_ANSWER_BYTES} bytes` };
      }
      chunks.push(chunk as Buffer);
    }
  } catch (error) {
    return { kind: 'fault', message: `the answer broke off: ${faultMessage(error)}` };
  }
  return { kind: 'answered', status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString('utf8') };
}

function faultMessage(error: unknown): string {
  const { code, message } = error as { code?: string; message?: string };
  if (code === 'ECONNREFUSED') return 'the connection was refused (ECONNREFUSED)';
  if (code === 'ECONNRESET') return 'the connection was reset (ECONNRESET)';
  return code === undefined ? `no connection: ${message}` : `no connection (${code})`;
}
