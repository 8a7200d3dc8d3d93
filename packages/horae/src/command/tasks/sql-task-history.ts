import type { HoraeDatabase } from '@horae/clock-store/storage';
import type { TraceEvent } from '@horae/declarative-scheduler';
import { sql } from 'kysely';
import type { DaemonLog } from '../daemon/daemon-log.js';
import { plainJson } from '../output/plain-json.js';
import { reportOf } from '../output/report-error.js';
import { factsOf } from './log-task-event.js';
import { prepareDaemonTables } from './sql-daemon-tables.js';

const MAX_WAITING = 10_000;
const ROWS_PER_STATEMENT = 200;

/** The events of the scheduler, kept in the database beside the tasks. */
export interface History {
  /** Takes an event; it is written soon, in order. */
  add(event: TraceEvent): void;
  /** Resolves when everything taken is written, or could not be. */
  flush(): Promise<void>;
}

/** A stored event. */
export interface HistoryEntry {
  readonly id: number;
  readonly at: number;
  readonly event: string;
  readonly task: string | null;
  readonly facts: Readonly<Record<string, unknown>>;
}

/**
 * Writes events asynchronously: a slow or lost database never delays a run. At most 10,000 events wait; the oldest are dropped beyond that.
 * Of the stored ones the latest `limit` are kept.
 */
export async function createHistory(
  database: HoraeDatabase,
  { namespace, limit, log }: { namespace: string; limit: number; log: DaemonLog },
): Promise<History> {
  await prepareDaemonTables(database);
  let waiting: TraceEvent[] = [];
  let writing: Promise<void> | null = null;

  async function writeAll(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting.splice(0, ROWS_PER_STATEMENT);
      try {
        await writeBatch(database, namespace, batch, limit);
      } catch (error) {
        log.warn({ error: reportOf(error).message, events: batch.length }, 'history could not be written');
      }
    }
    writing = null;
  }

  return {
    add(event) {
      if (limit === 0) return;
      waiting.push(event);
      if (waiting.length > MAX_WAITING) waiting = waiting.slice(-MAX_WAITING);
      writing ??= Promise.resolve().then(writeAll);
    },
    flush: async () => void (await writing),
  };
}

async function writeBatch(
  database: HoraeDatabase,
  namespace: string,
  batch: readonly TraceEvent[],
  limit: number,
): Promise<void> {
  const rows = batch.map((event) => {
    const { event: name, task, ...facts } = factsOf(event);
    return sql`(${namespace}, ${event.at}, ${name}, ${task ?? null}, ${plainJson(facts)})`;
  });
  await database.transaction(
    async (trx) => {
      await sql`insert into horae_task_history (namespace, at, event, task, facts) values ${sql.join(rows)}`.execute(
        trx,
      );
      const { rows: edge } = await sql<{ id: number }>`
        select id from horae_task_history where namespace = ${namespace} order by id desc limit 1 offset ${limit}`.execute(
        trx,
      );
      if (edge[0] === undefined) return;
      await sql`delete from horae_task_history where namespace = ${namespace} and id <= ${edge[0].id}`.execute(trx);
    },
    { immediate: true },
  );
}

/** The latest events, oldest first. */
export async function readHistory(
  database: HoraeDatabase,
  { namespace, task, limit, all }: { namespace: string; task?: string | undefined; limit: number; all: boolean },
): Promise<HistoryEntry[]> {
  await prepareDaemonTables(database);
  const ofTask = task === undefined ? (all ? sql`` : sql`and task is not null`) : sql`and task = ${task}`;
  const { rows } = await sql<{ id: number | string; at: number; event: string; task: string | null; facts: string }>`
    select id, at, event, task, facts from horae_task_history
    where namespace = ${namespace} ${ofTask} order by id desc limit ${limit}`.execute(database.kysely);
  return rows.reverse().map((row) => ({ ...row, id: Number(row.id), facts: JSON.parse(row.facts) }));
}
