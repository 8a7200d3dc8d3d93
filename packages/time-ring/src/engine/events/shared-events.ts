import { createEmitter } from '@horae/clock-store';
import { type SharedEvent, sharedEventNames } from '../../model/events.js';
import type { NodeHeartbeat } from '../../store/job-store.js';
import { LISTENERS_WAKE } from '../../store/wake-ups.js';
import { heartbeatOf, type RingNode } from '../node/ring-node.js';
import { createEventPublisher, KEEP_EVENTS_MS } from './event-publisher.js';
import { createEventReader } from './event-reader.js';

/** The events of all nodes. */
export interface SharedEvents {
  /** Emits the events of all nodes from now on; returns the function that ends it. */
  onAll(listener: (event: SharedEvent) => void): () => void;
  /** Called once per second, after the nodes have been read. Never rejects. */
  look(): Promise<void>;
  /** Called when other nodes have written events. */
  onEvents(): void;
  /** Called when another node has begun to listen. */
  onListeners(): void;
  /** Sets the source that says whether other nodes wake this one. */
  connect(wakes: { readonly isLive: boolean }): void;
  /** Emits nothing more and writes the remaining events for other nodes. */
  stop(): Promise<void>;
}

/** How often to poll for events where the database does not announce them, and where it does. */
const POLL_MS = 250;
const POLL_WHEN_WOKEN_MS = 1_000;
/** How often to delete the events of nodes that are gone. */
const SWEEP_MS = 3_600_000;

/**
 * A listening node marks that in its row, which every node reads in each of its passes anyway; only then do they write their events into a
 * table, which the listening node reads. It receives its own events directly.
 */
export function createSharedEvents(node: RingNode): SharedEvents {
  const { emitter, time, clock, log } = node;
  const onListenerError = (error: unknown) => log.error({ err: error }, 'A listener of an event threw');
  const all = createEmitter<{ event: SharedEvent }>({ onListenerError });
  const publisher = createEventPublisher(node);
  const reader = createEventReader(node, (event) => all.emit('event', event));
  let wakes: { readonly isLive: boolean } = { isLive: false };
  let removers: (() => void)[] = [];
  let polling: AbortController | null = null;
  let isStopped = false;
  let sweptMs = clock.monotonicMs();

  function begin(): void {
    node.isListening = true;
    removers = sharedEventNames.map((name) =>
      emitter.on(name, (event) =>
        all.emit('event', { name, event, nodeId: node.options.nodeId, at: time.now() } as SharedEvent),
      ),
    );
    reader.begin(time.now());
    polling = new AbortController();
    void announce();
    void poll(polling.signal).catch(() => {});
  }

  function end(): void {
    node.isListening = false;
    for (const remove of removers) remove();
    removers = [];
    reader.end();
    polling?.abort();
    polling = null;
  }

  /** Announces the listener now; the next pass would do so too, up to a second later. */
  async function announce(): Promise<void> {
    try {
      await node.store.transaction(async (trx) => {
        await trx.heartbeat(heartbeatOf(node, await time.read(trx)));
        await trx.wake([LISTENERS_WAKE]);
      });
      noteNodes(node, await node.store.nodes(), time.now());
    } catch (error) {
      log.warn({ err: error }, 'Other nodes hear with the next pass that somebody listens to their events');
    }
  }

  async function poll(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await clock.sleepFor(wakes.isLive ? POLL_WHEN_WOKEN_MS : POLL_MS, { signal });
      if (node.others.length > 0) await reader.read();
    }
  }

  async function seeNodes(): Promise<void> {
    try {
      noteNodes(node, await node.store.nodes(), time.now());
      await publisher.look();
    } catch (error) {
      log.warn({ err: error }, 'The nodes could not be read; the next pass tries again');
    }
  }

  async function sweep(): Promise<void> {
    if (clock.monotonicMs() - sweptMs < SWEEP_MS) return;
    sweptMs = clock.monotonicMs();
    const before = time.now() - KEEP_EVENTS_MS;
    await node.store.transaction((trx) => trx.deleteEvents({ owner: null, before }));
  }

  return {
    onAll(listener) {
      if (isStopped) return () => {};
      if (removers.length === 0) begin();
      const since = time.now();
      const remove = all.on('event', (event) => (event.at >= since ? listener(event) : undefined));
      return () => {
        remove();
        if (removers.length > 0 && all.listenerCount('event') === 0) end();
      };
    },
    async look() {
      await publisher.look();
      await sweep().catch((error: unknown) => log.warn({ err: error }, 'Old events could not be deleted'));
    },
    onEvents: () => void (node.isListening && reader.read()),
    onListeners: () => void seeNodes(),
    connect(given) {
      wakes = given;
    },
    async stop() {
      isStopped = true;
      if (removers.length > 0) end();
      await publisher.stop();
    },
  };
}

/** Records which other nodes exist and which of them listen. */
export function noteNodes(node: RingNode, beats: readonly NodeHeartbeat[], now: number): void {
  const others = beats.filter(({ owner }) => owner !== node.owner);
  node.others = others.map(({ owner }) => owner);
  const listening = others.filter((beat) => beat.listens === true && !node.liveness.isDead(beat, now));
  node.listeners = new Set(listening.map(({ owner }) => owner));
}
