import type { AnyKysely, Dialect } from '@horae/clock-store/storage';
import { sql } from 'kysely';
import type { EventCursor, EventReads, EventVerbs, StoredEvent } from '../event-store.js';
import { type BatchColumn, rowBatch, rowChunks } from './sql-row-batch.js';
import { readJson, readText, storedJson, storedText } from './sql-stored-text.js';

interface EventRow {
  readonly owner: string;
  readonly sequence: number;
  readonly node_id: string;
  readonly at: number;
  readonly name: string;
  readonly event: string;
}

const columns: readonly BatchColumn[] = [
  { name: 'sequence', kind: 'id' },
  { name: 'owner', kind: 'key' },
  { name: 'node_id', kind: 'text' },
  { name: 'at', kind: 'number' },
  { name: 'name', kind: 'key' },
  { name: 'event', kind: 'text' },
];
const columnList = sql.raw(columns.map(({ name }) => name).join(', '));

const MAX_NODES_PER_STATEMENT = 100;

export function eventReads(db: AnyKysely): EventReads {
  async function read(cursors: readonly EventCursor[], since: number, limit: number): Promise<StoredEvent[]> {
    const after = cursors.map(({ owner, sequence }) => sql`(owner = ${owner} and sequence > ${sequence})`);
    const { rows } = await sql<EventRow>`
      select ${columnList} from horae_ring_events where (${sql.join(after, sql` or `)}) and at >= ${since}
      order by owner, sequence limit ${limit}`.execute(db);
    return rows.map(unpack);
  }

  return {
    async eventsAfter({ cursors, since, limit }) {
      const events: StoredEvent[] = [];
      for (let from = 0; from < cursors.length && events.length < limit; from += MAX_NODES_PER_STATEMENT) {
        const some = cursors.slice(from, from + MAX_NODES_PER_STATEMENT);
        events.push(...(await read(some, since, limit - events.length)));
      }
      return events;
    },
  };
}

export function eventWrites(db: AnyKysely, dialect: Dialect): EventVerbs {
  return {
    async insertEvents(events) {
      const rows = events.map(({ owner, sequence, nodeId, at, name, event }) => [
        ...[sequence, owner, storedText(nodeId), at, name, storedJson(event) ?? 'null'],
      ]);
      for (const chunk of rowChunks(rows)) {
        const { source, value } = rowBatch(dialect, columns, chunk);
        const values = sql.join(columns.map(({ name }) => value(name)));
        const into = sql`into horae_ring_events (${columnList}) select ${values} from ${source}`;
        await (dialect === 'mysql'
          ? sql`insert ignore ${into}`
          : sql`insert ${into} where true on conflict do nothing`
        ).execute(db);
      }
    },
    async deleteEvents({ owner, before }) {
      const of = owner === null ? sql`` : sql`owner = ${owner} and`;
      await sql`delete from horae_ring_events where ${of} at < ${before}`.execute(db);
    },
  };
}

function unpack({ owner, sequence, node_id, at, name, event }: EventRow): StoredEvent {
  return { owner, sequence: Number(sequence), nodeId: readText(node_id), at, name, event: readJson(event) };
}
