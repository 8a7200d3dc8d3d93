/** Collects single writes into batches. */
export interface BatchWriter<Item, Result> {
  /** Resolves with what `write` gave for the item, in a batch with what else came in meanwhile. */
  add(item: Item): Promise<Result>;
  /** Whether something waits or is being written. */
  readonly isBusy: boolean;
  /** Resolves when nothing is waiting any more. */
  idle(): Promise<void>;
}

/** Writes that are asked for in the same burst arrive within a few turns of the microtask queue. */
const GATHERING_TURNS = 4;

/**
 * One batch is written at a time; all that comes meanwhile goes into the next. `write` gives one result per item, in order; when it
 * throws, every item of the batch rejects with that.
 */
export function createBatchWriter<Item, Result>(
  limit: number,
  write: (items: readonly Item[]) => Promise<readonly Result[]>,
): BatchWriter<Item, Result> {
  let waiting: { item: Item; resolve(result: Result): void; reject(error: unknown): void }[] = [];
  let writing: Promise<void> | null = null;

  async function writeAll(): Promise<void> {
    for (let turn = 0; turn < GATHERING_TURNS; turn++) await null;
    while (waiting.length > 0) {
      const batch = waiting.slice(0, limit);
      waiting = waiting.slice(limit);
      try {
        const results = await write(batch.map(({ item }) => item));
        batch.forEach(({ resolve }, i) => void resolve(results[i]!));
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
      for (let turn = 0; turn < GATHERING_TURNS; turn++) await null;
    }
    writing = null;
  }

  return {
    add: (item) =>
      new Promise((resolve, reject) => {
        waiting.push({ item, resolve, reject });
        writing ??= writeAll();
      }),
    get isBusy() {
      return writing !== null;
    },
    async idle() {
      while (writing !== null) await writing;
    },
  };
}
