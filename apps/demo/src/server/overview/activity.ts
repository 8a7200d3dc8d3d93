import type { Clock } from 'horae/time';
import { type ActivityEntry, type EngineName, engines, type OverviewSnapshot, type Tone } from '../../wire/overview.js';

/** Reports an event to the overview. */
export type Note = (engine: EngineName, text: string, tone?: Tone) => void;

export interface Activity {
  readonly note: Note;
  snapshot(): OverviewSnapshot;
}

/** The most entries that are kept; the overview shows the latest of them. */
const MAX_ENTRIES = 2_000;
const SHOWN = 60;
const SECONDS = 60;

/** The recent events of all engines, newest first. */
export function createActivity(clock: Clock, onChange: () => void): Activity {
  const startedAt = clock.now();
  const entries: ActivityEntry[] = [];
  let nextId = 1;
  return {
    note(engine, text, tone = 'plain') {
      entries.push({ id: nextId++, at: clock.now(), engine, text, tone });
      if (entries.length > MAX_ENTRIES) entries.splice(0, MAX_ENTRIES / 2);
      onChange();
    },
    snapshot() {
      const now = clock.now();
      return { now, startedAt, entries: entries.slice(-SHOWN).reverse(), perSecond: countPerSecond(entries, now) };
    },
  };
}

/** Index 59 is the current second, index 0 the one 59 seconds ago. */
export function countPerSecond(entries: readonly ActivityEntry[], now: number): OverviewSnapshot['perSecond'] {
  const counts = Object.fromEntries(engines.map((name) => [name, new Array<number>(SECONDS).fill(0)]));
  const second = Math.floor(now / 1000);
  for (let i = entries.length - 1; i >= 0; i--) {
    const entry = entries[i]!;
    const age = second - Math.floor(entry.at / 1000);
    if (age >= SECONDS) break;
    if (age >= 0) counts[entry.engine]![SECONDS - 1 - age]! += 1;
  }
  return counts as unknown as OverviewSnapshot['perSecond'];
}
