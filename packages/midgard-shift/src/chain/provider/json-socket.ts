import type { WebSocket } from 'ws';
import type { Calls } from './chain-provider.js';
import { parseJson } from './parse-json.js';
import { type Attempt, callTermsOf, tryAgain, withinTime } from './try-again.js';

/** Sends one JSON-RPC request and resolves with the answer. With `mayRepeat: false` it is not sent again when it may have arrived. */
export type JsonRpc = (request: { method: string; params?: object }, mayRepeat: boolean) => Promise<unknown>;

/** JSON-RPC over one WebSocket that is opened when it is needed, and again after it was lost. */
export interface JsonSocket {
  readonly ask: JsonRpc;
  close(): void;
}

interface OpenSocket {
  readonly socket: WebSocket;
  readonly waiting: Map<number, (answer: unknown) => void>;
}

/** A socket that is open or about to be. */
interface Connection {
  readonly opened: Promise<OpenSocket>;
  /** Closes it at once, open or not. */
  end(): void;
}

interface SocketListeners {
  onText(opened: OpenSocket, text: string): void;
  onClose(): void;
}

export function jsonSocket(provider: string, url: string, calls: Calls): JsonSocket {
  const terms = callTermsOf(calls);
  let connection: Connection | null = null;
  let lastId = 0;

  /** The open connection, or a new one; concurrent requests wait for the same one. */
  function connected(): Connection {
    if (connection !== null) return connection;
    const ending = new AbortController();
    const onClose = () => forget(made);
    const opened = openSocket(url, ending.signal, { onText: answered, onClose });
    const made: Connection = { opened, end: () => ending.abort() };
    // The requests that wait for the connection receive its failure.
    opened.catch(onClose);
    connection = made;
    return made;
  }

  function forget(made: Connection | null): void {
    if (connection === made) connection = null;
  }

  function answered({ socket, waiting }: OpenSocket, text: string): void {
    const answer = parsed(provider, text);
    // Text that is not JSON answers no request: the connection can no longer be trusted.
    if (answer === null) {
      socket.terminate();
      return;
    }
    const settle = waiting.get(answer.id as number);
    waiting.delete(answer.id as number);
    settle?.(answer);
  }

  async function attempt(request: object): Promise<Attempt<unknown>> {
    lastId += 1;
    const id = lastId;
    let isSent = false;
    const answer = await withinTime(terms, async (signal) => {
      const current = connected();
      // A connection that does not answer may be dead without either side noticing; the next try opens another.
      signal.addEventListener('abort', () => end(current), { once: true });
      const opened = await current.opened.catch(() => null);
      if (opened === null || signal.aborted || opened.socket.readyState !== opened.socket.OPEN) return LOST;
      isSent = true;
      return new Promise((resolve) => {
        opened.waiting.set(id, resolve);
        opened.socket.send(JSON.stringify({ jsonrpc: '2.0', ...request, id }));
      });
    });
    if (answer === null) return { kind: 'failed', why: `no answer within ${terms.timeoutMs} ms`, arrived: isSent };
    if (answer === LOST) return { kind: 'failed', why: 'no connection', arrived: isSent };
    return { kind: 'answer', answer };
  }

  function end(made: Connection | null): void {
    forget(made);
    made?.end();
  }

  return {
    ask: (request, mayRepeat) => tryAgain(provider, terms, mayRepeat, () => attempt(request)),
    close: () => end(connection),
  };
}

/** Stands for the answer of a connection that was closed before it came. */
const LOST = Symbol('lost');

function parsed(provider: string, text: string): { readonly id?: unknown } | null {
  try {
    const answer = parseJson(provider, text);
    return typeof answer === 'object' ? answer : null;
  } catch {
    return null;
  }
}

/** Resolves when the connection is open; requests that wait for an answer when it closes receive `LOST`. */
async function openSocket(url: string, ending: AbortSignal, { onText, onClose }: SocketListeners): Promise<OpenSocket> {
  // Loaded only when a WebSocket is used; Node 20 has none of its own.
  const { WebSocket: Socket } = await import('ws');
  ending.throwIfAborted();
  const socket = new Socket(url);
  ending.addEventListener('abort', () => socket.terminate(), { once: true });
  const opened: OpenSocket = { socket, waiting: new Map() };
  socket.on('message', (data) => onText(opened, String(data)));
  socket.on('close', () => {
    onClose();
    for (const settle of opened.waiting.values()) settle(LOST);
    opened.waiting.clear();
  });
  await new Promise<void>((resolve, reject) => {
    socket.once('open', resolve);
    socket.on('error', reject);
    socket.once('close', () => reject(new Error('closed')));
  });
  return opened;
}
