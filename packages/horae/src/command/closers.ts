/** What has to be closed again, in the opposite order of opening. */
export interface Closers {
  add(close: () => Promise<void>): void;
  /** Closes everything, also after one of them failed; rejects with the first failure. Twice is fine. */
  close(): Promise<void>;
}

/** An empty list of things to close. */
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
