import { systemClock } from '@horae/clock-store';

/** Work that is done in batches, one after the other. */
export interface Batches<Item> {
  put(item: Item): void;
  /** The batch that is being gathered or worked on; null when there is none. */
  readonly current: Promise<void> | null;
  /** Resolves when nothing is waiting any more. */
  idle(): Promise<void>;
}

/** When a batch is worked on. */
export interface BatchTiming {
  /** Waited for while a batch is gathered; a few turns of the microtask queue when not given, within which a burst of one caller arrives. */
  readonly gather?: () => Promise<void>;
  /** Waited for before each batch that follows upon another. */
  readonly between?: () => Promise<void>;
}

const GATHERING_TURNS = 4;

async function fewTurns(): Promise<void> {
  for (let turn = 0; turn < GATHERING_TURNS; turn++) await null;
}

/** A turn of the event loop, whatever clock is given: what sockets have received meanwhile is heard, and handlers that return at once have. */
export function oneTurn(): Promise<void> {
  return systemClock().sleepFor(0);
}

/**
 * `work` is given what waits, at most `limit`, together with what comes while it is walking through it; all that comes later goes into the
 * next batch. It must not reject.
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
