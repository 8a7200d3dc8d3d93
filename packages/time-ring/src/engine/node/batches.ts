import { systemClock } from '@horae/clock-store';

/** Processes work in batches, one after the other. */
export interface Batches<Item> {
  put(item: Item): void;
  /** The batch that is being gathered or processed; null when there is none. */
  readonly current: Promise<void> | null;
  /** Resolves when nothing is waiting any more. */
  idle(): Promise<void>;
}

/** When a batch is processed. */
export interface BatchTiming {
  /** Awaited while a batch is gathered; by default a few turns of the microtask queue, within which a burst of one caller arrives. */
  readonly gather?: () => Promise<void>;
  /** Awaited before each batch that directly follows another. */
  readonly between?: () => Promise<void>;
}

const GATHERING_TURNS = 4;

async function fewTurns(): Promise<void> {
  for (let turn = 0; turn < GATHERING_TURNS; turn++) await null;
}

/** A turn of the event loop, whatever the clock: data that sockets have received is processed, and fast handlers have returned. */
export function oneTurn(): Promise<void> {
  return systemClock().sleepFor(0);
}

/**
 * `work` receives the waiting items, at most `limit`, including those that arrive while it iterates; later ones go into the next batch. It
 * must not reject.
 */
export function createBatches<Item>(
  limit: number,
  work: (items: Iterable<Item>) => Promise<void>,
  { gather = fewTurns, between }: BatchTiming = {},
): Batches<Item> {
  let waiting: Item[] = [];
  let current: Promise<void> | null = null;

  async function next(): Promise<void> {
    await gather();
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
