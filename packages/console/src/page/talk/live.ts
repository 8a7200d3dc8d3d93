import { useEffect } from 'preact/hooks';
import { createStore } from '../words/store.js';

export const connection = createStore<'connecting' | 'live' | 'lost'>('connecting');

const names = [
  ...['job-added', 'job-updated', 'job-started', 'job-stopped', 'job-removed', 'job-misfired'],
  ...['run-waiting', 'run-started', 'run-succeeded', 'run-failed', 'run-killed'],
  ...['executor-registered', 'executor-removed', 'executor-lost'],
  ...['alert-sent', 'alert-failed'],
];

const listeners = new Set<(name: string) => void>();
let source: EventSource | null = null;
const AGAIN_MS = 2_000;

/** Opens the stream of events and keeps it open; one that is refused is tried again. */
export function connectLive(): void {
  if (source !== null) return;
  source = new EventSource('admin/events');
  source.addEventListener('open', () => {
    const wasLost = connection.get() === 'lost';
    connection.set('live');
    // Events in between were not delivered.
    if (wasLost) for (const name of names) tell(name);
  });
  for (const name of names) source.addEventListener(name, () => tell(name));
  source.addEventListener('error', () => {
    connection.set('lost');
    if (source?.readyState !== EventSource.CLOSED) return;
    closeLive();
    setTimeout(connectLive, AGAIN_MS);
  });
}

export function closeLive(): void {
  source?.close();
  source = null;
}

function tell(name: string): void {
  for (const listener of listeners) listener(name);
}

const AT_MOST_EVERY_MS = 700;

/** Calls `look` when an event of this kind has happened, at a limited rate however many happen. */
export function useLive(
  prefix: 'job-' | 'run-' | 'executor-' | 'alert-',
  look: () => void,
  everyMs = AT_MOST_EVERY_MS,
): void {
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | null = null;
    const listener = (name: string) => {
      if (!name.startsWith(prefix) || timer !== null) return;
      timer = setTimeout(() => {
        timer = null;
        look();
      }, everyMs);
    };
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
      if (timer !== null) clearTimeout(timer);
    };
  }, [prefix, look, everyMs]);
}

const LOST_LOOK_MS = 5_000;

/** Calls `look` periodically: no event reports what a lost node took with it. */
export function useLookForLost(look: () => void): void {
  useEffect(() => {
    const timer = setInterval(look, LOST_LOOK_MS);
    return () => clearInterval(timer);
  }, [look]);
}
