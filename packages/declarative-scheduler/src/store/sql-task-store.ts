import { type HoraeDatabase, openDatabase } from '@horae/clock-store/storage';
import { sql } from 'kysely';
import { sqlLease } from './sql-lease.js';
import { taskMigrations } from './sql-task-migrations.js';
import { deletion, unpack, upsert } from './sql-task-rows.js';
import type { TaskChange, TaskStore } from './task-store.js';

/** Options of `sqlTaskStore`. */
export interface SqlTaskStoreOptions {
  /** Schedulers with different namespaces share a database without seeing each other's tasks. `default` by default. */
  readonly namespace?: string;
}

const MAX_ROWS_PER_STATEMENT = 10_000;
const MAX_NAMES_PER_STATEMENT = 1_000;

/**
 * Tasks in SQLite, PostgreSQL or MySQL/MariaDB. With a URL the database is opened by `load` and closed by `close`; an open
 * database is used as it is and stays open.
 */
export function sqlTaskStore(database: string | HoraeDatabase, options: SqlTaskStoreOptions = {}): TaskStore {
  const namespace = options.namespace ?? 'default';
  const lease = sqlLease(namespace);
  let opening: Promise<HoraeDatabase> | null = null;
  let lastWrite: Promise<void> = Promise.resolve();

  function open(): Promise<HoraeDatabase> {
    opening ??= prepare(database).catch((error: unknown) => {
      opening = null;
      throw error;
    });
    return opening;
  }

  async function write(change: TaskChange, fence: number | undefined): Promise<void> {
    const db = await open();
    const statements = [
      ...chunks(change.remove, MAX_NAMES_PER_STATEMENT).map((names) => deletion(namespace, names)),
      ...chunks(change.put, MAX_ROWS_PER_STATEMENT).map((records) => upsert(db.dialect, namespace, records)),
    ];
    if (statements.length === 0) return;
    await db.transaction(
      async (trx) => {
        if (fence !== undefined) await lease.check(trx, fence);
        for (const statement of statements) await statement.execute(trx);
      },
      { immediate: true },
    );
  }

  /** One change after the other: a server with many connections would apply them in any order. */
  function inTurn(change: TaskChange, fence?: number): Promise<void> {
    const written = lastWrite.then(() => write(change, fence));
    lastWrite = written.catch(() => {});
    return written;
  }

  async function close(): Promise<void> {
    await lastWrite;
    const opened = opening;
    opening = null;
    if (opened !== null && typeof database === 'string') await (await opened).close();
  }

  return {
    async load() {
      const db = await open();
      const { rows } = await sql<Record<string, unknown>>`
        select * from horae_tasks where namespace = ${namespace}`.execute(db.kysely);
      return rows.map(unpack);
    },
    apply: inTurn,
    save: (put, fence) => inTurn({ remove: [], put }, fence),
    claim: async (claimant, over) => lease.claim(await open(), claimant, over),
    close,
    [Symbol.asyncDispose]: close,
  };
}

async function prepare(database: string | HoraeDatabase): Promise<HoraeDatabase> {
  const db = typeof database === 'string' ? await openDatabase(database) : database;
  try {
    await db.migrate('declarative-scheduler', taskMigrations);
  } catch (error) {
    if (typeof database === 'string') await db.close();
    throw error;
  }
  return db;
}

function chunks<T>(items: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, i) => items.slice(i * size, (i + 1) * size));
}
