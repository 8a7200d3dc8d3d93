import type { ServerResponse } from 'node:http';
import type { Clock } from '@horae/clock-store';
import { RequestProblem } from '../http/read-body.js';
import { isShared, ringEventNames } from '../model/events.js';
import type { TimeRing } from '../model/interface.js';
import type { AdminAnswer } from './admin-route.js';

/** The listeners to events over HTTP. */
export interface EventStreams {
  /** Adds a listener. Throws `RequestProblem` 503 when there are too many. */
  answer(): AdminAnswer;
  /** Ends every stream. */
  close(): void;
}

const COMMENT_EVERY_MS = 15_000;
const MAX_LISTENERS = 256;
/** A listener with this much unread data is disconnected; it may reconnect and query what it missed. */
const MAX_UNREAD_BYTES = 4 * 1_048_576;

/** Forwards the events of all nodes, and those that concern only this node; each is serialised once, however many listen. */
export function createEventStreams(ring: TimeRing, clock: Clock): EventStreams {
  const listeners = new Set<ServerResponse>();
  let removers: (() => void)[] = [];
  let pacing: AbortController | undefined;

  function sendAll(text: string): void {
    for (const listener of listeners) {
      if (listener.writableLength > MAX_UNREAD_BYTES) listener.destroy();
      else listener.write(text);
    }
  }

  function begin(): void {
    const ownNames = ringEventNames.filter((name) => !isShared(name));
    removers = ownNames.map((name) => ring.events.on(name, (event) => sendAll(eventText(name, event))));
    removers.push(ring.events.onAll(({ name, event }) => sendAll(eventText(name, event))));
    pacing = new AbortController();
    void comment(pacing.signal).catch(() => {});
  }

  /** Proxies close silent connections; a comment, which clients ignore, keeps the connection open. */
  async function comment(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await clock.sleepFor(COMMENT_EVERY_MS, { signal });
      sendAll(': still here\n\n');
    }
  }

  function end(): void {
    for (const remove of removers) remove();
    removers = [];
    pacing?.abort();
    pacing = undefined;
  }

  function open(response: ServerResponse): void {
    response.writeHead(200, {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    });
    if (response.req.method === 'HEAD') {
      response.end();
      return;
    }
    response.write(': listening\nretry: 2000\n\n');
    if (listeners.size === 0) begin();
    listeners.add(response);
    response.once('close', () => {
      if (listeners.delete(response) && listeners.size === 0) end();
    });
  }

  return {
    answer() {
      if (listeners.size >= MAX_LISTENERS) {
        throw new RequestProblem(
          503,
          'too-many-listeners',
          `${MAX_LISTENERS} already listen to the events of this node`,
        );
      }
      return { kind: 'stream', open };
    },
    close() {
      end();
      for (const listener of listeners) listener.end();
      listeners.clear();
    },
  };
}

function eventText(name: string, event: unknown): string {
  return `event: ${name}\ndata: ${JSON.stringify(event, withoutStacks)}\n\n`;
}

function withoutStacks(_key: string, value: unknown): unknown {
  if (!(value instanceof Error)) return value;
  const { code } = value as { code?: unknown };
  return { name: value.name, message: value.message, ...(code === undefined ? {} : { code }) };
}
