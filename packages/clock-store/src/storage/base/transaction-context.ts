import { AsyncLocalStorage } from 'node:async_hooks';
import { oncePerProcess } from '../../once-per-process.js';
import { NestedTransactionError } from './storage-errors.js';

interface Inside {
  readonly database: object;
  readonly outer: Inside | undefined;
  isOver: boolean;
}

const inside = oncePerProcess('transaction-context.1', () => new AsyncLocalStorage<Inside>());

/** Runs `work` as the inside of a transaction on `database`. Work that it leaves running counts as outside once it is over. */
export async function runInside<T>(database: object, work: () => Promise<T>): Promise<T> {
  const frame: Inside = { database, outer: inside.getStore(), isOver: false };
  try {
    return await inside.run(frame, work);
  } finally {
    frame.isOver = true;
  }
}

/** Throws `NestedTransactionError` when called from inside a transaction on `database`, where waiting for it would never end. */
export function assertOutside(database: object, url: string): void {
  for (let frame = inside.getStore(); frame !== undefined; frame = frame.outer) {
    if (frame.database === database && !frame.isOver) {
      throw new NestedTransactionError(
        `A transaction on ${url} is already running here, and this would wait for it to end: use the transaction that the work was given`,
        { url },
      );
    }
  }
}
