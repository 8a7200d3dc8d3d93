import type { ScheduleEvent } from '../interchange/interchange.js';

/** Where two event lists part, and what only one of them has. */
export interface EventDiff {
  /** The first place at which they differ; null when they are equal. For a list that has ended its side is null. */
  first_divergence: {
    seq: number;
    t: number;
    at: string;
    here: ScheduleEvent | null;
    there: ScheduleEvent | null;
  } | null;
  only_here: ScheduleEvent[];
  only_there: ScheduleEvent[];
}

/** Compares two event lists by value. Equal events at different places are not listed as different. */
export function diffEvents(here: readonly ScheduleEvent[], there: readonly ScheduleEvent[]): EventDiff {
  const keysHere = here.map((event) => JSON.stringify(event));
  const keysThere = there.map((event) => JSON.stringify(event));
  let seq = 0;
  while (seq < here.length && seq < there.length && keysHere[seq] === keysThere[seq]) seq++;
  const [a, b] = [here[seq] ?? null, there[seq] ?? null];
  const earlier = a === null ? b : b === null || a.t <= b.t ? a : b;
  return {
    first_divergence: earlier === null ? null : { seq, t: earlier.t, at: earlier.at, here: a, there: b },
    only_here: without(here, keysHere, keysThere, seq),
    only_there: without(there, keysThere, keysHere, seq),
  };
}

function without(events: readonly ScheduleEvent[], keys: string[], others: string[], from: number): ScheduleEvent[] {
  const counts = new Map<string, number>();
  for (const key of others.slice(from)) counts.set(key, (counts.get(key) ?? 0) + 1);
  return events.slice(from).filter((_, i) => {
    const key = keys[from + i]!;
    const left = counts.get(key) ?? 0;
    if (left > 0) counts.set(key, left - 1);
    return left === 0;
  });
}
