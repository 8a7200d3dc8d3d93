/** A bounded number of triggers at once, and a bounded number that wait. */
export interface TriggerPool<Item> {
  /** False when there is neither a place nor room to wait. */
  offer(item: Item): boolean;
  /** Takes out everything that waits. */
  clear(): Item[];
  readonly running: number;
  readonly queued: number;
  /** Places and room to wait that are left. */
  readonly free: number;
  /** Resolves when nothing is being triggered. */
  idle(): Promise<void>;
}

export interface TriggerPoolOptions<Item> {
  readonly size: number;
  readonly queue: number;
  /** Calls `done` once, when the place is free again. */
  work(item: Item, done: () => void): void;
  /** A place or room has become free. */
  onRoom(): void;
}

export function createTriggerPool<Item>({ size, queue, work, onRoom }: TriggerPoolOptions<Item>): TriggerPool<Item> {
  let waiting: Item[] = [];
  /** How many of `waiting` have already begun; they are cut off in chunks. */
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
