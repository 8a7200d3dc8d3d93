import { type RingEvents, sharedEventNames } from '../../model/events.js';
import type { StoredEvent } from '../../store/event-store.js';
import { EVENTS_WAKE } from '../../store/wake-ups.js';
import type { RingNode } from '../node/ring-node.js';

/** Writes this node's events for the nodes that listen to the events of all nodes. */
export interface EventPublisher {
  /** Begins when another node listens and ends when none does. Never rejects. */
  look(): Promise<void>;
  /** Writes the remaining events, and none after that. */
  stop(): Promise<void>;
}

/** How long an event can be read: far longer than the listening nodes need. */
export const KEEP_EVENTS_MS = 30_000;
const SWEEP_MS = 10_000;
/** The minimum pause between two batches: events emitted meanwhile go into the next. */
const PAUSE_MS = 50;
const RETRY_MS = 1_000;
const MAX_EVENTS_PER_BATCH = 1_000;
/** The maximum number of events kept in memory while the database does not accept them. */
const MAX_UNWRITTEN = 10_000;

type Node = Pick<
  RingNode,
  'owner' | 'options' | 'store' | 'clock' | 'time' | 'log' | 'emitter' | 'listeners' | 'isStopping'
>;

/** Events are not even built without a listener: the engine checks for each whether it has one, and the publisher is one. */
export function createEventPublisher(node: Node): EventPublisher {
  const { owner, store, clock, time, log } = node;
  const stopping = new AbortController();
  let removers: (() => void)[] = [];
  let unwritten: StoredEvent[] = [];
  let dropped = 0;
  let sequence = 0;
  let writing: Promise<void> | null = null;
  /** Rows of this node may exist. */
  let hasRows = false;
  let sweptMs = Number.NEGATIVE_INFINITY;

  function put(name: keyof RingEvents, event: object): void {
    if (unwritten.length >= MAX_UNWRITTEN) {
      dropped += 1;
      return;
    }
    sequence += 1;
    unwritten.push({
      owner,
      sequence,
      nodeId: node.options.nodeId,
      at: time.now(),
      name,
      event: withPlainError(event),
    });
    writing ??= writeAll();
  }

  async function writeAll(): Promise<void> {
    // The emitter continues first, and the events it emits in one go form one batch.
    await null;
    while (unwritten.length > 0) {
      const batch = unwritten.slice(0, MAX_EVENTS_PER_BATCH);
      const isWritten = await write(batch);
      // A stop waits for one try, and events too old to be read are not tried again.
      const oldest = stopping.signal.aborted ? Number.POSITIVE_INFINITY : time.now() - KEEP_EVENTS_MS;
      unwritten = isWritten ? unwritten.slice(batch.length) : unwritten.filter(({ at }) => at >= oldest);
      if (unwritten.length > 0 || !stopping.signal.aborted) await pause(isWritten ? PAUSE_MS : RETRY_MS);
    }
    writing = null;
  }

  async function write(batch: readonly StoredEvent[]): Promise<boolean> {
    hasRows = true;
    try {
      await store.transaction(async (trx) => {
        await trx.insertEvents(batch);
        await trx.wake([EVENTS_WAKE]);
      });
    } catch (error) {
      log.warn({ err: error, events: unwritten.length }, 'Events could not be shared with other nodes; trying again');
      return false;
    }
    if (dropped > 0) log.warn({ dropped }, 'Events were not shared with other nodes: too many were waiting');
    dropped = 0;
    return true;
  }

  async function pause(ms: number): Promise<void> {
    await clock.sleepFor(ms, { signal: stopping.signal }).catch(() => {});
  }

  async function sweep(): Promise<void> {
    if (!hasRows || clock.monotonicMs() - sweptMs < SWEEP_MS) return;
    sweptMs = clock.monotonicMs();
    const isOver = removers.length === 0 && writing === null;
    // The last events are also deleted only when they are old, and not while a node may be reading them.
    const lastAt = time.now();
    await store.transaction((trx) => trx.deleteEvents({ owner, before: lastAt - KEEP_EVENTS_MS }));
    if (isOver && lastAt - endedAt > KEEP_EVENTS_MS) hasRows = false;
  }

  let endedAt = 0;

  function begin(): void {
    removers = sharedEventNames.map((name) => node.emitter.on(name, (event) => put(name, event)));
  }

  function end(): void {
    for (const remove of removers) remove();
    removers = [];
    endedAt = time.now();
  }

  return {
    async look() {
      const isWanted = node.listeners.size > 0 && !node.isStopping;
      if (isWanted && removers.length === 0) begin();
      else if (!isWanted && !node.isStopping && removers.length > 0) end();
      await sweep().catch((error: unknown) => log.warn({ err: error }, 'Old events could not be deleted'));
    },
    async stop() {
      end();
      stopping.abort();
      await writing;
    },
  };
}

/** Errors have no properties that JSON includes, and other thrown values may not be JSON at all. */
function withPlainError(event: object): object {
  if (!('error' in event) || event.error === undefined) return event;
  const { name, message } = event.error instanceof Error ? event.error : new Error(String(event.error));
  return { ...event, error: { name, message } };
}
