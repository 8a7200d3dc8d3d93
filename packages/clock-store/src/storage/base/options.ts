import type { Clock } from '../../clock.js';
import type { Random } from '../../random.js';
import { systemClock } from '../../system-clock.js';
import { systemRandom } from '../../system-random.js';
import type { Dialect } from './database-url.js';
import { isName, NAME_RULES } from './names.js';
import type { RetryPolicy } from './retry.js';
import { StorageInputError } from './storage-errors.js';
import type { SslOptions } from './tls-settings.js';
import type { TransactionLimits } from './transaction-limits.js';
import type { SessionTarget, UrlSettings } from './url-parameters.js';

/** The part of a logger that is used, in pino's shape: facts first, then the sentence. */
export interface StorageLog {
  warn(facts: object, message: string): void;
}

/** Options of `openDatabase`. */
export interface OpenDatabaseOptions {
  /** The database clock of SQLite. Default: the system clock. Waits for other connections always use real time. */
  clock?: Clock;
  /** Spreads the waits of back-off. Default: `systemRandom()`. */
  random?: Random;
  /** How long a transaction is retried under contention before `DatabaseBusyError`. Default: 10,000 ms. */
  busyLimitMs?: number;
  /**
   * SQLite only. `full` (default): a committed write survives the loss of power. `normal`: the last commits may be lost
   * with the power, the database stays whole. `off`: for tests.
   */
  synchronous?: 'full' | 'normal' | 'off';
  /** Servers only: encryption. `true` checks the server's certificate and name. Default: that of the URL, else none. */
  ssl?: boolean | SslOptions;
  /** Servers only: the maximum number of connections. Default: 10. */
  poolSize?: number;
  /** Servers only: how long to wait for a connection. Default: 10,000 ms. */
  connectTimeoutMs?: number;
  /** Servers only: how long a statement may take, migrations excepted, before `StatementTimeoutError`. Default: 10,000 ms. */
  statementTimeoutMs?: number;
  /** Servers only: how long a transaction may be idle before the server ends it and releases its locks. Default: 10,000 ms. */
  idleTransactionMs?: number;
  /** PostgreSQL only: the schema that holds the tables; made when missing. Default: the server's search path, mostly `public`. */
  schema?: string;
  /** Prefixes the name of every table, so that several installations share a database: `x_` makes `x_horae_locks`. */
  tablePrefix?: string;
  /**
   * Servers only: receives a line when a statement waits more than 2 s for a lock, with what the server reports about its holder. Default:
   * none.
   */
  log?: StorageLog;
  /** The clock that `dbNow()` reads instead of the database's. For tests with a manual clock on a server. */
  databaseClock?: Clock;
}

/** The options with their defaults filled in. */
export interface ResolvedOptions {
  readonly clock: Clock;
  readonly retry: RetryPolicy;
  readonly synchronous: 'full' | 'normal' | 'off';
  readonly ssl: boolean | SslOptions | undefined;
  readonly applicationName: string | undefined;
  readonly poolSize: number;
  readonly connectTimeoutMs: number;
  readonly statementTimeoutMs: number;
  /** For transactions that are begun without limits of their own. */
  readonly limits: TransactionLimits;
  readonly schema: string | undefined;
  readonly tablePrefix: string;
  readonly sessionTarget: SessionTarget;
  readonly log: StorageLog | undefined;
  readonly databaseClock: Clock | undefined;
}

/** Fills in the settings of the URL, then the defaults. Throws `StorageInputError` for an invalid value. */
export function resolveOptions(
  given: OpenDatabaseOptions,
  url: UrlSettings = {},
  dialect: Dialect = 'sqlite',
): ResolvedOptions {
  const options = { ...url, ...given };
  const clock = options.clock ?? systemClock();
  const random = options.random ?? systemRandom();
  const { synchronous = 'full' } = options;
  if (!['full', 'normal', 'off'].includes(synchronous)) {
    throw new StorageInputError(`synchronous must be "full", "normal" or "off", got ${JSON.stringify(synchronous)}`, {
      field: 'synchronous',
      value: synchronous,
    });
  }
  const busyLimitMs = atLeast('busyLimitMs', options.busyLimitMs ?? 10_000, 0);
  const statementTimeoutMs = atLeast('statementTimeoutMs', options.statementTimeoutMs ?? 10_000, 1);
  return {
    clock,
    // Contention takes real time, whichever clock the program uses: a manual clock may stand still.
    retry: { clock: systemClock(), random, limitMs: busyLimitMs },
    synchronous,
    ssl: given.ssl,
    applicationName: url.applicationName,
    poolSize: atLeast('poolSize', options.poolSize ?? 10, 1),
    connectTimeoutMs: atLeast('connectTimeoutMs', options.connectTimeoutMs ?? 10_000, 1),
    statementTimeoutMs,
    limits: {
      idleMs: atLeast('idleTransactionMs', options.idleTransactionMs ?? 10_000, 1),
      lockMs: Math.max(1_000, busyLimitMs),
      statementMs: statementTimeoutMs,
    },
    schema: schemaFor(dialect, options.schema),
    tablePrefix: name('tablePrefix', options.tablePrefix) ?? '',
    sessionTarget: url.sessionTarget ?? 'any',
    log: checkLog(options.log),
    databaseClock: options.databaseClock,
  };
}

function schemaFor(dialect: Dialect, schema: string | undefined): string | undefined {
  if (schema === undefined || dialect === 'postgres') return name('schema', schema);
  const remedy = dialect === 'mysql' ? 'name another database in the URL' : 'name another file';
  throw new StorageInputError(`schema is for PostgreSQL alone: ${remedy}, or use tablePrefix`, {
    field: 'schema',
    value: schema,
  });
}

function checkLog(log: StorageLog | undefined): StorageLog | undefined {
  if (log === undefined || typeof log?.warn === 'function') return log;
  throw new StorageInputError('log must be a logger with the function warn, as pino has it', {
    field: 'log',
    value: typeof log,
  });
}

function name(field: 'schema' | 'tablePrefix', value: string | undefined): string | undefined {
  if (value === undefined || isName(field, value)) return value;
  throw new StorageInputError(`${field} must be ${NAME_RULES[field]}, got ${JSON.stringify(value)}`, { field, value });
}

function atLeast(field: string, value: number, least: number): number {
  if (Number.isFinite(value) && value >= least) return value;
  throw new StorageInputError(`${field} must be a number, ${least} or more, got ${String(value)}`, { field, value });
}
