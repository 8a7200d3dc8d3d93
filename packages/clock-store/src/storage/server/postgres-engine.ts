import { CompiledQuery, type DatabaseConnection, PostgresDialect, sql, type TransactionSettings } from 'kysely';
import type pg from 'pg';
import type { ServerUrl } from '../base/database-url.js';
import type { AnyKysely, Engine } from '../base/engine.js';
import type { ResolvedOptions } from '../base/options.js';
import { postgresTls, type TlsSettings } from '../base/tls-settings.js';
import { limitsInForce, MIGRATION_LIMITS, type TransactionLimits } from '../base/transaction-limits.js';
import { connectToOne, PostgresHosts } from './postgres-hosts.js';
import { PostgresMessages } from './postgres-messages.js';
import { limitedPostgresPool } from './postgres-pool.js';
import { makeSchema } from './postgres-schema.js';
import { ServerEngine } from './server-engine.js';
import { ServerPool } from './server-pool.js';

const INT8_OID = 20;
/** "horae" in ASCII: the advisory lock that migrating processes take. */
const MIGRATION_LOCK = 0x68_6f_72_61_65;

/** Opens a pool of connections to PostgreSQL. 64-bit integers come back as numbers, as they do from the other databases. */
export function openPostgresEngine(
  url: ServerUrl,
  options: ResolvedOptions,
  driver: typeof pg,
  tls: TlsSettings | undefined,
): Engine {
  const limits = new ServerPool(url.printable, options);
  const hosts = new PostgresHosts(url.hosts);
  const Client = hosts.clientOf(driver);
  const config: pg.PoolConfig = {
    user: url.user,
    password: url.password,
    database: url.database,
    application_name: options.applicationName,
    // When a connection begins, and not by a statement: a pooler would pass a session setting on to other clients.
    ...(options.schema === undefined ? {} : { options: `-c search_path="${options.schema}"` }),
    ssl: postgresTls(tls),
    max: options.poolSize,
    connectionTimeoutMillis: options.connectTimeoutMs,
    stream: () => limits.socket(),
    types: {
      getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
        oid === INT8_OID ? parseInteger : driver.types.getTypeParser(oid, format as 'text')) as never,
    },
  };
  const pool = new driver.Pool({ ...config, Client });
  const connect = () => connectToOne(hosts, url.printable, () => connected(new Client(config)));
  const messages = new PostgresMessages(connect, `${options.schema ?? ''} ${options.tablePrefix}`);
  /** On other systems the server would log with every transaction that it does not support the setting. */
  let endsFullSockets: boolean | undefined;
  // Without listeners the loss of a connection, idle or between two statements, would end the process.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  const targets = { hosts, isWritable: options.sessionTarget === 'read-write' };
  return new ServerEngine(
    {
      dialect: 'postgres',
      kyselyDialect: new PostgresDialect({
        pool: limitedPostgresPool(pool, limits, { ...targets, onEnd: () => messages.close() }),
      }),
      pool: limits,
      messages,
      async begin(connection, settings) {
        endsFullSockets ??= await runsOnLinux(connection);
        const limits = limitsInForce() ?? options.limits;
        await connection.executeQuery(CompiledQuery.raw(beginSql(settings, limits, endsFullSockets)));
      },
      endsTransaction: () => true,
      prepare: (db) => makeSchema(db, url.printable, options.schema),
      migrateAlone,
      nowSql: sql`floor(extract(epoch from clock_timestamp()) * 1000)::bigint`,
    },
    url,
    options,
  );
}

/**
 * The beginning of a transaction and its limits in one message, so that they cost no round trip. They are the transaction's alone: a pooler
 * that shares its sessions would pass session settings on to other clients, and refuses them in the startup message.
 */
function beginSql(
  { isolationLevel, accessMode }: TransactionSettings,
  limits: TransactionLimits,
  endsFullSockets: boolean,
): string {
  const { idleMs, lockMs, statementMs } = limits;
  const modes = [...(isolationLevel ? [`isolation level ${isolationLevel}`] : []), ...(accessMode ? [accessMode] : [])];
  const settings = {
    idle_in_transaction_session_timeout: idleMs,
    lock_timeout: lockMs,
    statement_timeout: statementMs,
    // The answer to a statement lies in the sockets' buffers while the client is frozen: only the system can end that.
    ...(endsFullSockets ? { tcp_user_timeout: idleMs } : {}),
  };
  const set = Object.entries(settings).map(([name, ms]) => `set local ${name} = ${Math.ceil(ms)}`);
  return [`begin ${modes.join(', ')}`.trim(), ...set].join('; ');
}

async function runsOnLinux(connection: DatabaseConnection): Promise<boolean> {
  const { rows } = await connection.executeQuery<{ version: string }>(CompiledQuery.raw('select version() as version'));
  return /linux/i.test(String(rows[0]?.version));
}

function migrateAlone<T>(engine: Engine, work: (db: AnyKysely) => Promise<T>): Promise<T> {
  const alone = async (trx: AnyKysely) => {
    await sql`select pg_advisory_xact_lock(${MIGRATION_LOCK}::bigint)`.execute(trx);
    return work(trx);
  };
  return engine.transact(alone, true, MIGRATION_LIMITS);
}

async function connected(client: pg.Client): Promise<pg.Client> {
  client.on('error', () => {});
  await client.connect();
  return client;
}

function parseInteger(text: string): number {
  const value = Number(text);
  if (Number.isSafeInteger(value)) return value;
  throw new RangeError(`The integer ${text} of the database is too large for a number: select it as text`);
}
