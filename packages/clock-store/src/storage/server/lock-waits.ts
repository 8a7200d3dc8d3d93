import { type RawBuilder, sql } from 'kysely';
import type { AnyKysely } from '../base/engine.js';
import type { StorageLog } from '../base/options.js';

/** A session that holds what another one waits for, as far as the server reports it. */
export interface LockHolder {
  /** The server's number for the session: a process of PostgreSQL, a connection of MySQL. */
  readonly session: number;
  readonly user: string | null;
  readonly client: string | null;
  /** The name that the client gave itself. */
  readonly application: string | null;
  readonly state: string | null;
  readonly transactionMs: number | null;
}

type Question = (session: number) => RawBuilder<LockHolder>;

/** Without the statements of other sessions: their texts may hold private data. */
const questions: Readonly<Record<'postgres' | 'mysql', Question>> = {
  postgres: (session) => sql`
    select pid as "session", usename as "user", client_addr::text as client, application_name as application, state,
      floor(extract(epoch from clock_timestamp() - xact_start) * 1000)::bigint as "transactionMs"
    from pg_catalog.pg_stat_activity where pid = any(pg_blocking_pids(${session}::integer)) limit 5`,
  mysql: (session) => sql`
    select w.blocking_pid as session, p.user as user, p.host as client, null as application, p.command as state,
      timestampdiff(microsecond, w.blocking_trx_started, now(6)) div 1000 as transactionMs
    from sys.innodb_lock_waits w left join information_schema.processlist p on p.id = w.blocking_pid
    where w.waiting_pid = ${session} limit 5`,
};

const REPORT_EVERY_MS = 2_000;

/**
 * Logs that a statement waits for a lock, and which session holds it. A statement that is only slow is not reported, and of many that wait
 * at the same time one is. Facts that the server hides from this user are not reported either.
 */
export function createLockWaitReport(
  db: AnyKysely,
  facts: { readonly dialect: 'postgres' | 'mysql'; readonly url: string; readonly log: StorageLog },
): (session: number, waitedMs: number, nowMs: number) => Promise<void> {
  let reportedMs = Number.NEGATIVE_INFINITY;
  return async (session, waitedMs, nowMs) => {
    if (nowMs - reportedMs < REPORT_EVERY_MS) return;
    const before = reportedMs;
    reportedMs = nowMs;
    try {
      const { rows: holders } = await questions[facts.dialect](session).execute(db);
      if (holders.length > 0) facts.log.warn({ url: facts.url, waitedMs, holders }, 'A statement waits for a lock');
      else reportedMs = before;
    } catch {
      // The statement reports its own end to its caller.
    }
  };
}
