/** Work that is done in batches, one after the other. */
export interface Batches<Item> {
  put(item: Item): void;
  /** The batch that is being gathered or worked on; null when there is none. */
  readonly current: Promise<void> | null;
  /** Resolves when nothing is waiting any more. */
  idle(): Promise<void>;
}

/** What is asked for in the same burst arrives within a few turns of the microtask queue. */
const GATHERING_TURNS = 4;

/**
 * `work` is given what waits, at most `limit`, together with what comes while it is walking through it; all that comes later goes into the
 * next batch. It must not reject. `between` is waited for before each batch that follows upon another.
 */
export function createBatches<Item>(
  limit: number,
  work: (items: Iterable<Item>) => Promise<void>,
  between?: () => Promise<void>,
): Batches<Item> {
  let waiting: Item[] = [];
  let current: Promise<void> | null = null;

  async function next(): Promise<void> {
    for (let turn = 0; turn < GATHERING_TURNS; turn++) await null;
    await work(take());
  }

  function* take(): Generator<Item> {
    let taken = 0;
    while (taken < waiting.length && taken < limit) yield waiting[taken++]!;
    waiting = waiting.slice(taken);
  }

  async function workOff(): Promise<void> {
    while (waiting.length > 0) {
      current = next();
      await current;
      if (waiting.length > 0) await between?.();
    }
    current = null;
  }

  return {
    put(item) {
      waiting.push(item);
      if (current === null) void workOff();
    },
    get current() {
      return current;
    },
    async idle() {
      while (current !== null) await current;
    },
  };
}
