import type { Clock } from '../clock.js';
import type { Random } from '../random.js';
import { systemClock } from '../system-clock.js';
import { systemRandom } from '../system-random.js';
import type { RetryPolicy } from './retry.js';
import { StorageInputError } from './storage-errors.js';

/** Options of `openDatabase`. */
export interface OpenDatabaseOptions {
  /** Paces back-off, and is the database clock of SQLite. Default: the system clock. */
  clock?: Clock;
  /** Spreads the waits of back-off. Default: `systemRandom()`. */
  random?: Random;
  /** How long a transaction is tried again while others are in the way, before `DatabaseBusyError`. Default: 10,000 ms. */
  busyLimitMs?: number;
  /**
   * SQLite only. `full` (default): a committed write survives the loss of power. `normal`: the last commits may be lost
   * with the power, the database stays whole. `off`: for tests.
   */
  synchronous?: 'full' | 'normal' | 'off';
  /** Servers only: how many connections at most. Default: 10. */
  poolSize?: number;
  /** Servers only: how long to wait for a connection. Default: 10,000 ms. */
  connectTimeoutMs?: number;
  /** Where `dbNow()` takes the time from instead of the database. For tests with a manual clock on a server. */
  databaseClock?: Clock;
}

/** The options with their defaults filled in. */
export interface ResolvedOptions {
  readonly clock: Clock;
  readonly retry: RetryPolicy;
  readonly synchronous: 'full' | 'normal' | 'off';
  readonly poolSize: number;
  readonly connectTimeoutMs: number;
  readonly databaseClock: Clock | undefined;
}

/** Fills in the defaults. Throws `StorageInputError` for a value that makes no sense. */
export function resolveOptions(options: OpenDatabaseOptions): ResolvedOptions {
  const clock = options.clock ?? systemClock();
  const random = options.random ?? systemRandom();
  const { synchronous = 'full' } = options;
  if (!['full', 'normal', 'off'].includes(synchronous)) {
    throw new StorageInputError(`synchronous must be "full", "normal" or "off", got ${JSON.stringify(synchronous)}`, {
      field: 'synchronous',
      value: synchronous,
    });
  }
  return {
    clock,
    retry: { clock, random, limitMs: atLeast('busyLimitMs', options.busyLimitMs ?? 10_000, 0) },
    synchronous,
    poolSize: atLeast('poolSize', options.poolSize ?? 10, 1),
    connectTimeoutMs: atLeast('connectTimeoutMs', options.connectTimeoutMs ?? 10_000, 1),
    databaseClock: options.databaseClock,
  };
}

function atLeast(field: string, value: number, least: number): number {
  if (Number.isFinite(value) && value >= least) return value;
  throw new StorageInputError(`${field} must be a number, ${least} or more, got ${String(value)}`, { field, value });
}
