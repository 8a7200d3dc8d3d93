import type { EpochMs } from '@horae/clock-store';
import type { RingNode } from '../node/ring-node.js';

/** Deletes old history beside the passes, in slices short enough to delay nothing. */
export interface Retention {
  /** Continues deleting when it is due and not under way. Called once per second. */
  wake(): Promise<void>;
  /** The earliest time of the next sweep. */
  readonly dueAt: EpochMs;
  /** Resolves when nothing more is deleted. */
  stop(): Promise<void>;
}

interface Slice {
  readonly isDone: boolean;
  readonly deleted: number;
}

/** How long one slice may take: SQLite executes nothing else meanwhile. */
const SLICE_MS = 5;
const FIRST_SLICE = 200;
const SMALLEST_SLICE = 20;
const LARGEST_SLICE = 2_000;
/** No slice begins this shortly before or after a whole second: that time is reserved for the pass and the drain. */
const BEFORE_SECOND_MS = 30;
const AFTER_SECOND_MS = 50;
/** The pause after a complete sweep: the runs that become old meanwhile take only a few slices. */
const EVERY_MS = 10_000;
/** The pause after a sweep that found nothing to delete. */
const QUIET_EVERY_MS = 60_000;
/** How often a sweep restarts at the first id, to find runs that were open when it passed and have ended since. */
const FROM_THE_BEGINNING_MS = 60_000;

/**
 * Walks through the runs by id and deletes those that ended long enough ago, then the flows. Slices are as large as their time limit
 * allows, and each pause is as long as the slice before it: half of the time is left to others, and the walk is as fast as the database.
 */
export function createRetention(node: RingNode): Retention {
  const { clock, time, options } = node;
  const stopping = new AbortController();
  const { signal } = stopping;
  let sweeping: Promise<void> | null = null;
  let size = FIRST_SLICE;
  let afterId = 0;
  let beganAt = Number.NEGATIVE_INFINITY;
  let nextAt = Number.NEGATIVE_INFINITY;

  async function pause(ms: number): Promise<void> {
    await clock.sleepFor(ms, { signal }).catch(() => {});
  }

  async function awayFromTheSecond(): Promise<void> {
    const intoMs = time.now() % 1_000;
    if (intoMs < AFTER_SECOND_MS) await pause(AFTER_SECOND_MS - intoMs);
    else if (intoMs > 1_000 - BEFORE_SECOND_MS) await pause(1_000 - intoMs + AFTER_SECOND_MS);
  }

  /** `isDone`: no run is old enough any more. */
  async function sliceRuns(): Promise<Slice> {
    const endedBefore = time.now() - options.keepRunsMs;
    const { lastId, isDone, deleted } = await node.store.transaction((trx) =>
      trx.deleteRuns({ endedBefore, afterId, limit: size }),
    );
    afterId = lastId;
    return { isDone, deleted };
  }

  /** The same for flows and their steps. */
  async function sliceFlows(): Promise<Slice> {
    const endedBefore = time.now() - options.keepRunsMs;
    const limit = size;
    const deleted = await node.store.transaction((trx) => trx.deleteFlows({ endedBefore, limit }));
    return { isDone: deleted < limit, deleted };
  }

  async function measured(slice: () => Promise<Slice>): Promise<Slice & { readonly tookMs: number }> {
    const began = clock.monotonicMs();
    const found = await slice();
    const tookMs = clock.monotonicMs() - began;
    if (tookMs > SLICE_MS) size = Math.max(SMALLEST_SLICE, Math.floor(size / 2));
    else if (tookMs < SLICE_MS / 2) size = Math.min(LARGEST_SLICE, size * 2);
    return { ...found, tookMs };
  }

  async function sweep(): Promise<void> {
    if (time.now() - beganAt >= FROM_THE_BEGINNING_MS) {
      afterId = 0;
      beganAt = time.now();
    }
    const deleted = (await untilDone(sliceRuns)) + (await untilDone(sliceFlows));
    if (!node.isStopping) nextAt = time.now() + (deleted > 0 ? EVERY_MS : QUIET_EVERY_MS);
  }

  /** Returns how many were deleted. */
  async function untilDone(slice: () => Promise<Slice>): Promise<number> {
    let sum = 0;
    while (!node.isStopping && !signal.aborted) {
      await awayFromTheSecond();
      if (node.isStopping) break;
      const { isDone, deleted, tookMs } = await measured(slice);
      sum += deleted;
      if (isDone) break;
      await pause(Math.max(1, tookMs));
    }
    return sum;
  }

  return {
    async wake() {
      if (node.isStopping || sweeping !== null || time.now() < nextAt) return;
      sweeping = sweep()
        .catch((error: unknown) => node.log.warn({ err: error }, 'Old runs could not be deleted; it is tried again'))
        .then(() => {
          sweeping = null;
        });
    },
    get dueAt() {
      return nextAt;
    },
    async stop() {
      stopping.abort();
      await sweeping;
    },
  };
}
