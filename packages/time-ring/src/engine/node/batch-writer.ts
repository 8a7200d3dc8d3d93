import { type BatchTiming, createBatches } from './batches.js';

/** Collects single writes into batches. */
export interface BatchWriter<Item, Result> {
  /** Resolves with the result of `write` for the item, which is written in a batch with other items that arrive meanwhile. */
  add(item: Item): Promise<Result>;
}

interface Waiting<Item, Result> {
  readonly item: Item;
  resolve(result: Result): void;
  reject(error: unknown): void;
}

/**
 * Writes one batch at a time; items that arrive meanwhile go into the next. `write` returns one result per item, in order; when it
 * throws, every item of the batch rejects with that error.
 */
export function createBatchWriter<Item, Result>(
  limit: number,
  write: (items: readonly Item[]) => Promise<readonly Result[]>,
  timing?: BatchTiming,
): BatchWriter<Item, Result> {
  async function work(waiting: Iterable<Waiting<Item, Result>>): Promise<void> {
    const batch = [...waiting];
    try {
      const results = await write(batch.map(({ item }) => item));
      batch.forEach(({ resolve }, i) => void resolve(results[i]!));
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }

  const batches = createBatches(limit, work, timing);
  return { add: (item) => new Promise((resolve, reject) => batches.put({ item, resolve, reject })) };
}
