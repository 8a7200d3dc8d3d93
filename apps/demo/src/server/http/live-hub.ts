import type { Clock } from 'horae/time';

/** Sends one named event with its JSON text to one listener. */
export type Send = (event: string, data: string) => void;

/** Keeps every open page up to date: a topic has a snapshot, and listeners receive it when it has changed. */
export interface LiveHub {
  /** Names a topic and how its snapshot is read. */
  add(topic: string, read: () => unknown): void;
  /** The snapshot may have changed: listeners receive it soon, many changes at once. */
  touch(topic: string): void;
  /** Sends all snapshots at once and every change from then on; returns the remover. */
  listen(send: Send): Promise<() => void>;
  readonly listeners: number;
}

/** Changes within this time travel together. */
const GATHER_MS = 150;

export function createLiveHub(clock: Clock, onFailure: (topic: string, error: unknown) => void): LiveHub {
  const topics = new Map<string, { read: () => unknown; sent: string; isPending: boolean }>();
  const listeners = new Set<Send>();

  async function textOf(topic: string): Promise<string | null> {
    try {
      return JSON.stringify(await topics.get(topic)!.read());
    } catch (error) {
      onFailure(topic, error);
      return null;
    }
  }

  async function flush(topic: string): Promise<void> {
    await clock.sleepFor(GATHER_MS);
    const state = topics.get(topic)!;
    state.isPending = false;
    if (listeners.size === 0) return;
    const text = await textOf(topic);
    if (text === null || text === state.sent) return;
    state.sent = text;
    for (const send of listeners) send(topic, text);
  }

  return {
    add: (topic, read) => void topics.set(topic, { read, sent: '', isPending: false }),
    touch(topic) {
      const state = topics.get(topic);
      if (state === undefined || state.isPending || listeners.size === 0) return;
      state.isPending = true;
      void flush(topic);
    },
    async listen(send) {
      for (const topic of topics.keys()) {
        const text = await textOf(topic);
        if (text !== null) send(topic, text);
      }
      listeners.add(send);
      return () => void listeners.delete(send);
    },
    get listeners() {
      return listeners.size;
    },
  };
}
