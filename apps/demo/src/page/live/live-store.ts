import { useEffect, useState } from 'preact/hooks';
import type { Hello } from '../../wire/session.js';

export type Connection = 'connecting' | 'live' | 'lost';

const topics = new Map<string, unknown>();
const listeners = new Map<string, Set<() => void>>();
let hello: Hello | null = null;
let greet: () => void;
const greeted = new Promise<void>((resolve) => {
  greet = resolve;
});
let connection: Connection = 'connecting';
/** The server's clock minus this machine's. */
let clockOffset = 0;

function changed(topic: string): void {
  for (const listener of listeners.get(topic) ?? []) listener();
}

function setConnection(next: Connection): void {
  if (connection === next) return;
  connection = next;
  changed('connection');
}

/** Opens the stream and keeps it open: after a restart of the server the page reconnects by itself. */
export function connect(): void {
  const source = new EventSource('api/events');
  source.addEventListener('hello', (event) => {
    hello = JSON.parse(event.data) as Hello;
    clockOffset = hello.now - Date.now();
    greet();
    setConnection('live');
    changed('hello');
  });
  for (const topic of ['overview', 'tasks', 'ring', 'sim', 'rewrites', 'shifts']) {
    source.addEventListener(topic, (event) => {
      topics.set(topic, JSON.parse((event as MessageEvent<string>).data));
      changed(topic);
    });
  }
  source.addEventListener('error', () => {
    setConnection('lost');
    // The browser tries again by itself unless the answer was a refusal.
    if (source.readyState !== EventSource.CLOSED) return;
    source.close();
    setTimeout(connect, 1_500);
  });
}

function useChanges(topic: string): void {
  const [, render] = useState(0);
  useEffect(() => {
    const listener = () => render((n) => n + 1);
    const set = listeners.get(topic) ?? new Set();
    listeners.set(topic, set.add(listener));
    // Something may have arrived between the first drawing and now.
    listener();
    return () => void set.delete(listener);
  }, [topic]);
}

/** The latest snapshot of a topic; null until the first has arrived. */
export function useTopic<T>(topic: string): T | null {
  useChanges(topic);
  return (topics.get(topic) as T | undefined) ?? null;
}

export function useConnection(): Connection {
  useChanges('connection');
  return connection;
}

export function useHello(): Hello | null {
  useChanges('hello');
  return hello;
}

const FIRST_TOKEN_MS = 10_000;

/** The token of the latest server. A page that has just opened waits for the first one; null when none arrives in time. */
export async function currentToken(): Promise<string | null> {
  if (hello === null) await Promise.race([greeted, new Promise((resolve) => setTimeout(resolve, FIRST_TOKEN_MS))]);
  return hello?.token ?? null;
}

/** The server's time now. */
export function serverNow(): number {
  return Date.now() + clockOffset;
}

/** The server's time, drawn anew every `everyMs`. */
export function useNow(everyMs = 1_000): number {
  const [now, setNow] = useState(serverNow);
  useEffect(() => {
    const timer = setInterval(() => setNow(serverNow()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return now;
}
