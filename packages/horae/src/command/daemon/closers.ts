/** Resources to close in reverse order of opening. */
export interface Closers {
  add(close: () => Promise<void>): void;
  /** Closes all of them even when one fails, then rejects with the first failure. May be called twice. */
  close(): Promise<void>;
}

/** Creates an empty list. */
export function createClosers(): Closers {
  const open: (() => Promise<void>)[] = [];
  return {
    add: (close) => void open.push(close),
    async close() {
      const failures: unknown[] = [];
      for (let close = open.pop(); close !== undefined; close = open.pop()) {
        await close().catch((error: unknown) => void failures.push(error));
      }
      if (failures.length > 0) throw failures[0];
    },
  };
}
