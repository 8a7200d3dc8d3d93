import { PostgresDialect, sql } from 'kysely';
import type pg from 'pg';
import type { DatabaseUrl } from './database-url.js';
import type { AnyKysely, Engine } from './engine.js';
import type { ResolvedOptions } from './options.js';
import { ServerEngine } from './server-engine.js';

const INT8_OID = 20;
/** "horae" in ASCII: the advisory lock that migrating processes take. */
const MIGRATION_LOCK = 0x68_6f_72_61_65;
const MIGRATION_WAIT_MS = 60_000;

/** Opens a pool of connections to PostgreSQL. 64-bit integers come back as numbers, as they do from the other databases. */
export function openPostgresEngine(
  url: DatabaseUrl & { dialect: 'postgres' | 'mysql' },
  options: ResolvedOptions,
  driver: typeof pg,
): Engine {
  const pool = new driver.Pool({
    connectionString: url.connectionUrl,
    max: options.poolSize,
    connectionTimeoutMillis: options.connectTimeoutMs,
    keepAlive: true,
    types: {
      getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
        oid === INT8_OID ? parseInteger : driver.types.getTypeParser(oid, format as 'text')) as never,
    },
  });
  // Without listeners the loss of a connection, idle or between two statements, would end the process.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  return new ServerEngine(
    {
      dialect: 'postgres',
      kyselyDialect: new PostgresDialect({ pool }),
      endsTransaction: () => true,
      migrateAlone,
      nowSql: sql`select floor(extract(epoch from clock_timestamp()) * 1000)::bigint as now`,
    },
    url,
    options,
  );
}

function migrateAlone<T>(engine: Engine, work: (db: AnyKysely) => Promise<T>): Promise<T> {
  return engine.transact(async (trx) => {
    await sql`select set_config('lock_timeout', ${String(MIGRATION_WAIT_MS)}, true)`.execute(trx);
    await sql`select pg_advisory_xact_lock(${MIGRATION_LOCK}::bigint)`.execute(trx);
    return work(trx);
  }, true);
}

function parseInteger(text: string): number {
  const value = Number(text);
  if (Number.isSafeInteger(value)) return value;
  throw new RangeError(`The integer ${text} of the database is too large for a number: select it as text`);
}
