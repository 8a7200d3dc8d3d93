/** Runs a bounded number of triggers concurrently and queues a bounded number more. */
export interface TriggerPool<Item> {
  /** False when both the places and the queue are full. */
  offer(item: Item): boolean;
  /** Removes and returns all queued items. */
  clear(): Item[];
  readonly running: number;
  readonly queued: number;
  /** The number of free places and queue entries. */
  readonly free: number;
  /** Resolves when nothing is being triggered. */
  idle(): Promise<void>;
}

export interface TriggerPoolOptions<Item> {
  readonly size: number;
  readonly queue: number;
  /** Calls `done` once, when the place is free again. */
  work(item: Item, done: () => void): void;
  /** Called when a place or a queue entry becomes free. */
  onRoom(): void;
}

export function createTriggerPool<Item>({ size, queue, work, onRoom }: TriggerPoolOptions<Item>): TriggerPool<Item> {
  let waiting: Item[] = [];
  /** How many of `waiting` have already begun; they are removed in chunks. */
  let begun = 0;
  let running = 0;
  let idlers: (() => void)[] = [];

  function begin(item: Item): void {
    running += 1;
    work(item, free);
  }

  function free(): void {
    running -= 1;
    next();
    if (running > 0) return;
    for (const resolve of idlers) resolve();
    idlers = [];
  }

  function next(): void {
    if (begun < waiting.length && running < size) {
      const item = waiting[begun]!;
      begun += 1;
      if (begun > 1_000 || begun === waiting.length) {
        waiting = waiting.slice(begun);
        begun = 0;
      }
      begin(item);
    }
    onRoom();
  }

  return {
    offer(item) {
      if (running < size) begin(item);
      else if (waiting.length - begun < queue) waiting.push(item);
      else return false;
      return true;
    },
    clear() {
      const cleared = waiting.slice(begun);
      waiting = [];
      begun = 0;
      return cleared;
    },
    get running() {
      return running;
    },
    get queued() {
      return waiting.length - begun;
    },
    get free() {
      return size + queue - running - (waiting.length - begun);
    },
    idle: () => (running === 0 ? Promise.resolve() : new Promise((resolve) => idlers.push(resolve))),
  };
}
