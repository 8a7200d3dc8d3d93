import type { EventReads, EventVerbs, StoredEvent } from '../event-store.js';
import { copy, type Journal, JournalledMap } from './journalled-map.js';

/** The shared events of the memory store. */
export function memoryEvents(journal: Journal): EventReads & EventVerbs {
  const rows = new JournalledMap<string, StoredEvent>(journal);
  const keyOf = ({ owner, sequence }: StoredEvent) => `${owner} ${sequence}`;
  return {
    eventsAfter: async ({ cursors, since, limit }) => {
      const read = new Map(cursors.map(({ owner, sequence }) => [owner, sequence]));
      return rows
        .values()
        .filter(({ owner, sequence, at }) => sequence > (read.get(owner) ?? Number.POSITIVE_INFINITY) && at >= since)
        .sort((a, b) => (a.owner < b.owner ? -1 : Number(a.owner > b.owner)) || a.sequence - b.sequence)
        .slice(0, limit)
        .map(copy);
    },
    insertEvents: async (events) => {
      for (const event of events) if (!rows.has(keyOf(event))) rows.set(keyOf(event), copy(event));
    },
    deleteEvents: async ({ owner, before }) => {
      for (const row of rows.values()) {
        if (row.at < before && (owner === null || row.owner === owner)) rows.delete(keyOf(row));
      }
    },
  };
}
