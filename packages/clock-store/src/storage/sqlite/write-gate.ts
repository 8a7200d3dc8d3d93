import { oncePerProcess } from '../../once-per-process.js';

/**
 * Which connection of this process writes to one SQLite file. SQLite itself keeps the writers apart; the gate only saves a connection from
 * blocking the thread on which the writer it waits for runs.
 */
export class WriteGate {
  #holder: object | undefined;
  readonly #waiters = new Set<() => void>();

  isTakenByAnother(connection: object): boolean {
    return this.#holder !== undefined && this.#holder !== connection;
  }

  take(connection: object): void {
    this.#holder = connection;
  }

  leave(connection: object): void {
    if (this.#holder !== connection) return;
    this.#holder = undefined;
    for (const waiter of this.#waiters) waiter();
    this.#waiters.clear();
  }

  /** Resolves when the holder leaves; undefined when no connection holds the gate. Forgotten when `signal` is aborted. */
  free(signal: AbortSignal): Promise<void> | undefined {
    if (this.#holder === undefined) return undefined;
    return new Promise((resolve) => {
      this.#waiters.add(resolve);
      signal.addEventListener('abort', () => this.#waiters.delete(resolve), { once: true });
    });
  }
}

const gates = oncePerProcess('write-gates.1', () => new Map<string, { gate: WriteGate; users: number }>());

/** The gate of the file at `path`, shared by all connections to it. Call `close` when done. */
export function openWriteGate(path: string): { gate: WriteGate; close(): void } {
  const entry = gates.get(path) ?? { gate: new WriteGate(), users: 0 };
  entry.users += 1;
  gates.set(path, entry);
  return {
    gate: entry.gate,
    close() {
      entry.users -= 1;
      if (entry.users === 0 && gates.get(path) === entry) gates.delete(path);
    },
  };
}
