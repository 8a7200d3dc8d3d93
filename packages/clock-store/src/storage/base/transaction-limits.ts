import { AsyncLocalStorage } from 'node:async_hooks';
import { oncePerProcess } from '../../once-per-process.js';

/**
 * How long each part of a transaction on a server may take before the server itself ends it: a process that is frozen or cut off must not
 * keep its locks. Milliseconds; MySQL and MariaDB count whole seconds and round up.
 */
export interface TransactionLimits {
  /** Between two statements; the server then closes the connection. */
  readonly idleMs: number;
  /** For one lock; then comes `DatabaseBusyError`, after which a transaction runs again. */
  readonly lockMs: number;
  /** For one statement, on the server; one second later the client drops the connection. */
  readonly statementMs: number;
}

const inForce = oncePerProcess('transaction-limits.1', () => new AsyncLocalStorage<TransactionLimits>());

/** Runs `work` with these limits for the transactions and statements that it begins. */
export function withLimits<T>(limits: TransactionLimits, work: () => Promise<T>): Promise<T> {
  return inForce.run(limits, work);
}

/** The limits of the present work; undefined outside `withLimits`. */
export function limitsInForce(): TransactionLimits | undefined {
  return inForce.getStore();
}

/** Schema changes may take as long as the tables are large, and processes that start together wait for each other. */
export const MIGRATION_LIMITS: TransactionLimits = { idleMs: 60_000, lockMs: 60_000, statementMs: 3_600_000 };
