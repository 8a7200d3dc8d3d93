import type { EpochMs } from '@horae/clock-store';
import type { SharedEvent } from '../../model/events.js';
import type { StoredEvent } from '../../store/event-store.js';
import type { RingNode } from '../node/ring-node.js';
import { KEEP_EVENTS_MS } from './event-publisher.js';

/** Reads the events of other nodes. */
export interface EventReader {
  /** Reads the unread events now. Never rejects. */
  read(): Promise<void>;
  /** Sets the time before which events are not emitted. */
  begin(since: EpochMs): void;
  end(): void;
}

const MAX_EVENTS_PER_READ = 1_000;
const MAX_READS_IN_A_ROW = 100;

type Node = Pick<RingNode, 'store' | 'time' | 'log' | 'others'>;

/**
 * Each node numbers its own events and writes them in that order, so the reading position per node is one number: events that two nodes
 * write at the same time become visible in any order, and a common number would skip some of them.
 */
export function createEventReader(node: Node, tell: (event: SharedEvent) => void): EventReader {
  /** By owner, with the time at which the node was last seen. */
  const cursors = new Map<string, { sequence: number; seenAt: EpochMs }>();
  let reading: Promise<void> | null = null;
  let isOwed = false;
  let since: EpochMs | null = null;

  /** A node that is gone is read for as long as its last events may exist. */
  function known(): { owner: string; sequence: number }[] {
    const now = node.time.now();
    for (const owner of node.others) {
      cursors.set(owner, { sequence: cursors.get(owner)?.sequence ?? 0, seenAt: now });
    }
    for (const [owner, { seenAt }] of cursors) if (now - seenAt > KEEP_EVENTS_MS) cursors.delete(owner);
    return [...cursors].map(([owner, { sequence }]) => ({ owner, sequence }));
  }

  async function readSome(from: EpochMs): Promise<boolean> {
    const query = { cursors: known(), since: from, limit: MAX_EVENTS_PER_READ };
    const events = await node.store.eventsAfter(query);
    for (const event of events) {
      const cursor = cursors.get(event.owner);
      if (cursor === undefined || since === null) continue;
      cursor.sequence = event.sequence;
      tell(sharedEvent(event));
    }
    return events.length < MAX_EVENTS_PER_READ;
  }

  async function readAll(): Promise<void> {
    while (isOwed) {
      isOwed = false;
      for (let reads = 0; since !== null && reads < MAX_READS_IN_A_ROW; reads++) if (await readSome(since)) break;
    }
  }

  return {
    async read() {
      isOwed = true;
      reading ??= readAll()
        .catch((error: unknown) => {
          isOwed = false;
          node.log.warn({ err: error }, 'Events of other nodes could not be read; the next look tries again');
        })
        .finally(() => {
          reading = null;
        });
      await reading;
    },
    begin(at) {
      since = at;
      cursors.clear();
    },
    end() {
      since = null;
    },
  };
}

function sharedEvent({ name, event, nodeId, at }: StoredEvent): SharedEvent {
  return { name, event, nodeId, at } as SharedEvent;
}
