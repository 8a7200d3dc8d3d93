import { type CreateTableNode, MysqlDialect, MysqlQueryCompiler, sql } from 'kysely';
import type mysql from 'mysql2';
import type { ServerUrl } from '../base/database-url.js';
import type { Engine } from '../base/engine.js';
import type { ResolvedOptions } from '../base/options.js';
import {
  ClusterNotReadyError,
  DatabaseBusyError,
  DatabaseUnreachableError,
  StatementTimeoutError,
  TransactionTimeoutError,
} from '../base/storage-errors.js';
import { mysqlTls, type TlsSettings } from '../base/tls-settings.js';
import { limitsInForce } from '../base/transaction-limits.js';
import { migrateAlone } from './mysql-migration.js';
import { limitedMysqlPool } from './mysql-pool.js';
import { MysqlSessions } from './mysql-session.js';
import { ServerEngine } from './server-engine.js';
import { ServerPool } from './server-pool.js';

/** Errors that leave nothing of a transaction to commit. */
const GONE = [
  ClusterNotReadyError,
  DatabaseBusyError,
  DatabaseUnreachableError,
  StatementTimeoutError,
  TransactionTimeoutError,
];

/** Opens a pool of connections to MySQL or MariaDB. Sessions run in UTC with READ COMMITTED, as PostgreSQL's do. */
export function openMysqlEngine(
  url: ServerUrl,
  options: ResolvedOptions,
  driver: typeof mysql,
  tls: TlsSettings | undefined,
): Engine {
  const limits = new ServerPool(url.printable, options);
  const { host = 'localhost', port = 3306 } = url.hosts[0]!;
  const sessions = new MysqlSessions();
  const pool = driver.createPool({
    // The driver looks for its host setting in the certificate; the connection itself is made below.
    host: tls?.servername ?? host,
    port,
    ...definite({ user: url.user, password: url.password, database: url.database, ssl: mysqlTls(tls) }),
    connectionLimit: options.poolSize,
    connectTimeout: options.connectTimeoutMs,
    charset: 'utf8mb4',
    timezone: 'Z',
    stream: () => limits.connect(port, host),
    // Numbers up to 2^53 - 1, text above; never a rounded number.
    supportBigNumbers: true,
  });
  pool.on('connection', (connection) => {
    connection.on('error', () => {});
    // Queued ahead of the first statement; a failure here shows in that statement.
    connection.query("set time_zone = '+00:00'", () => {});
    connection.query('set session transaction isolation level read committed', () => {});
  });
  return new ServerEngine(
    {
      dialect: 'mysql',
      kyselyDialect: new PlainTextMysqlDialect({ pool: limitedMysqlPool(pool, limits) }),
      pool: limits,
      async begin(connection, _settings, begin) {
        await sessions.limit(connection, limitsInForce() ?? options.limits);
        await begin();
      },
      end: (connection) => sessions.release(connection),
      endsTransaction: (error) => GONE.some((kind) => error instanceof kind),
      migrateAlone: (engine, work) => migrateAlone(engine, { url: url.printable, poolSize: options.poolSize }, work),
      nowSql: sql`floor(unix_timestamp(now(6)) * 1000)`,
    },
    url,
    options,
  );
}

function definite<T extends object>(values: T): { [K in keyof T]: NonNullable<T[K]> } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as never;
}

/** Text in tables made with the schema builder is compared as in the other databases, whatever the server's default is. */
class PlainTextMysqlDialect extends MysqlDialect {
  override createQueryCompiler(): MysqlQueryCompiler {
    return new PlainTextMysqlCompiler();
  }
}

class PlainTextMysqlCompiler extends MysqlQueryCompiler {
  protected override visitCreateTable(node: CreateTableNode): void {
    super.visitCreateTable(node);
    const hasOwnEnding = node.selectQuery !== undefined || (node.endModifiers?.length ?? 0) > 0;
    if (!hasOwnEnding) this.append(' character set utf8mb4 collate utf8mb4_bin');
  }
}
