import { DAY_SECONDS } from './civil-day.js';
import { TABLE_START_DAY } from './month-table.js';

/** Where the minutes of the month table begin, in seconds and in milliseconds since 1970. */
export const TABLE_START_SECOND = TABLE_START_DAY * DAY_SECONDS;
export const TABLE_START_MS = TABLE_START_SECOND * 1000;

/** The second since 1970 of a minute of the month table. */
export function secondOfMinute(minute: number): number {
  return minute * 60 + TABLE_START_SECOND;
}

/** What a span's cells hold, in this order. */
export const SPAN_START = 0;
export const SPAN_END = 1;
export const SPAN_OFFSET = 2;
export const SPAN_CELLS = 3;

/** Stands for an offset that is no whole number of minutes, as local mean times are. */
export const UNEVEN = 0x7fff_ffff;

/** A hint stands for 2^14 minutes (11 days), so few hold a transition; 1,024 of them cover 31 years before they are shared. */
export const HINT_SHIFT = 14;
export const HINT_MASK = 1_023;

const FAR = 0x7fff_fffe;

/**
 * The spans of a zone in whole minutes of the month table, side by side in one array of 32-bit integers: start, end (exclusive) and
 * offset. A start or end inside a minute counts as the next one, because occurrences are starts of minutes.
 */
export class MinuteSpans {
  cells = new Int32Array(16 * SPAN_CELLS).fill(FAR);
  /** Where the span of a stretch of time was last. It may be out of date, so whoever uses it looks at the bounds. */
  readonly hints = new Uint16Array(HINT_MASK + 1);
  #used = 0;

  /** Makes room for a span before the one at `index`. */
  insert(index: number): void {
    const place = index * SPAN_CELLS;
    if (this.#used + SPAN_CELLS > this.cells.length) {
      const grown = new Int32Array(this.cells.length * 2).fill(FAR);
      grown.set(this.cells);
      this.cells = grown;
    }
    this.cells.copyWithin(place + SPAN_CELLS, place, this.#used);
    this.#used += SPAN_CELLS;
  }

  remove(index: number): void {
    const place = index * SPAN_CELLS;
    this.cells.copyWithin(place, place + SPAN_CELLS, this.#used);
    this.#used -= SPAN_CELLS;
    this.cells.fill(FAR, this.#used, this.#used + SPAN_CELLS);
  }

  /** Fills the cells of a span whose bounds and offset are in seconds; the bounds may be infinite. */
  set(index: number, start: number, end: number, offset: number): void {
    const place = index * SPAN_CELLS;
    this.cells[place + SPAN_START] = minuteAtOrAfterSecond(start);
    this.cells[place + SPAN_END] = minuteAtOrAfterSecond(end);
    this.cells[place + SPAN_OFFSET] = offset % 60 === 0 ? offset / 60 : UNEVEN;
  }
}

function minuteAtOrAfterSecond(second: number): number {
  return Math.max(-FAR, Math.min(FAR, Math.ceil((second - TABLE_START_SECOND) / 60)));
}
