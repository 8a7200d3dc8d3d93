import { type CreateTableNode, MysqlDialect, MysqlQueryCompiler, sql } from 'kysely';
import type mysql from 'mysql2';
import type { DatabaseUrl } from './database-url.js';
import type { AnyKysely, Engine } from './engine.js';
import type { ResolvedOptions } from './options.js';
import { ServerEngine } from './server-engine.js';
import { DatabaseBusyError, DatabaseUnreachableError } from './storage-errors.js';

const MIGRATION_WAIT_S = 60;
/** Locks with a name belong to the server, not to the database, and are at most 64 characters long. */
const MIGRATION_LOCK = sql`concat('horae:', sha1(database()))`;

/** Opens a pool of connections to MySQL or MariaDB. Sessions run in UTC with READ COMMITTED, as PostgreSQL's do. */
export function openMysqlEngine(
  url: DatabaseUrl & { dialect: 'postgres' | 'mysql' },
  options: ResolvedOptions,
  driver: typeof mysql,
): Engine {
  const pool = driver.createPool({
    uri: url.connectionUrl,
    connectionLimit: options.poolSize,
    connectTimeout: options.connectTimeoutMs,
    charset: 'utf8mb4',
    timezone: 'Z',
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
      kyselyDialect: new PlainTextMysqlDialect({ pool: pool as never }),
      endsTransaction: (error) => error instanceof DatabaseBusyError || error instanceof DatabaseUnreachableError,
      migrateAlone: (engine, work) => migrateAlone(engine, url.printable, work),
      nowSql: sql`select floor(unix_timestamp(now(6)) * 1000) as now`,
    },
    url,
    options,
  );
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

function migrateAlone<T>(engine: Engine, url: string, work: (db: AnyKysely) => Promise<T>): Promise<T> {
  return engine.kysely.connection().execute(async (db) => {
    const { rows } = await sql<{
      taken: number;
    }>`select get_lock(${MIGRATION_LOCK}, ${MIGRATION_WAIT_S}) as taken`.execute(db);
    if (rows[0]?.taken !== 1) {
      const waitedMs = MIGRATION_WAIT_S * 1000;
      throw new DatabaseBusyError(`Another process has been migrating ${url} for ${MIGRATION_WAIT_S} s`, {
        url,
        attempts: 1,
        waitedMs,
      });
    }
    try {
      return await work(db);
    } finally {
      // A lost connection has released it already.
      await sql`do release_lock(${MIGRATION_LOCK})`.execute(db).catch(() => {});
    }
  });
}
