import { latenessBounds } from '../../wire/ring.js';

/** Counts how late runs started: the latest few hundred. */
export interface Lateness {
  add(lateMs: number): void;
  histogram(): number[];
}

const KEPT = 500;

/** From the whole second in which it may fire at the earliest: the ring turns by seconds, so a time within one waits for its end. */
export function latenessOf(scheduleTime: number, startedAt: number): number {
  return startedAt - Math.ceil(scheduleTime / 1000) * 1000;
}

export function createLateness(): Lateness {
  const latest: number[] = [];
  return {
    add(lateMs) {
      latest.push(Math.max(0, lateMs));
      if (latest.length > KEPT) latest.shift();
    },
    histogram() {
      const counts = new Array<number>(latenessBounds.length + 1).fill(0);
      for (const late of latest) counts[bucketFor(late)]! += 1;
      return counts;
    },
  };
}

function bucketFor(late: number): number {
  const index = latenessBounds.findIndex((bound) => late < bound);
  return index === -1 ? latenessBounds.length : index;
}
