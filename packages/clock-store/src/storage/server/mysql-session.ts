import { CompiledQuery, type DatabaseConnection } from 'kysely';
import type { TransactionLimits } from '../base/transaction-limits.js';

/** How long MySQL waits for an idle client outside transactions: its own default. */
const PATIENCE_S = 28_800;

interface Session {
  readonly isMariadb: boolean;
  /** The limits that the session has now. */
  limits: string;
}

/**
 * The limits of transactions on MySQL and MariaDB belong to the session. They are set when they differ from those that it has, which is
 * once per connection as long as all transactions have the same limits. MySQL has no limit of its own for idle transactions: there the
 * limit for idle sessions is lowered for as long as one runs.
 */
export class MysqlSessions {
  readonly #sessions = new WeakMap<DatabaseConnection, Session>();

  async limit(connection: DatabaseConnection, limits: TransactionLimits): Promise<void> {
    const session = this.#sessions.get(connection) ?? (await newSession(connection));
    this.#sessions.set(connection, session);
    const wanted = session.isMariadb ? mariadbLimits(limits) : mysqlLimits(limits);
    if (session.limits === wanted) return;
    await run(connection, `set ${wanted}`);
    session.limits = wanted;
  }

  async release(connection: DatabaseConnection): Promise<void> {
    const session = this.#sessions.get(connection);
    if (session === undefined || session.isMariadb) return;
    session.limits = '';
    await run(connection, `set session wait_timeout = ${PATIENCE_S}`);
  }
}

async function newSession(connection: DatabaseConnection): Promise<Session> {
  const { rows } = await run<{ version: string }>(connection, 'select version() as version');
  return { isMariadb: /mariadb/i.test(String(rows[0]?.version)), limits: '' };
}

function run<R>(connection: DatabaseConnection, text: string) {
  return connection.executeQuery<R>(CompiledQuery.raw(text));
}

function mariadbLimits({ idleMs, lockMs, statementMs }: TransactionLimits): string {
  return assignments({
    innodb_lock_wait_timeout: seconds(lockMs),
    idle_transaction_timeout: seconds(idleMs),
    max_statement_time: statementMs / 1_000,
    // A frozen client does not read its answers either.
    net_write_timeout: seconds(idleMs),
    net_read_timeout: seconds(idleMs),
  });
}

function mysqlLimits({ idleMs, lockMs, statementMs }: TransactionLimits): string {
  return assignments({
    innodb_lock_wait_timeout: seconds(lockMs),
    wait_timeout: seconds(idleMs),
    max_execution_time: Math.ceil(statementMs),
    net_write_timeout: seconds(idleMs),
    net_read_timeout: seconds(idleMs),
  });
}

function assignments(values: Readonly<Record<string, number>>): string {
  return Object.entries(values)
    .map(([name, value]) => `session ${name} = ${value}`)
    .join(', ');
}

function seconds(ms: number): number {
  return Math.max(1, Math.ceil(ms / 1_000));
}
