import { CYCLE_DAYS, DAY_SECONDS } from '../calendar/civil-day.js';
import { emptySpan, type MinuteSpan, retireSpan, secondOfMinute, setSpan } from './minute-spans.js';
import type { OffsetProbe } from './zone-offset.js';

/** The first transition of any zone is later than this (1697); before it a zone keeps the offset it has here. */
const BEGINNING = -(2 ** 33);

/** From the year 2500 on every zone follows yearly rules, and those repeat with the calendar every 400 years. */
const REPEATS_FROM = 16_725_225_600;

const CYCLE_SECONDS = CYCLE_DAYS * DAY_SECONDS;

/**
 * Two probes that agree are taken to have no transition between them, so a window is shorter than the shortest time after which
 * any zone has gone back to the offset it came from: 4 days before 1970 (Africa/Freetown 1939), 7 days since (Asia/Gaza 2040).
 */
const OLD_WINDOW = 2 ** 18;
const WINDOW = 2 ** 19;

/** A hint stands for 2^14 minutes (11 days), so few hold a transition; 1,024 of them cover 31 years before they are shared. */
const HINT_SHIFT = 14;
const HINT_MASK = 1_023;

/**
 * The offsets of one zone as spans of constant offset, read from `Intl` window by window as searches need them, and kept. Spans are sorted,
 * do not touch with equal offsets, and may leave unknown holes between them. `locate` finds or learns the span of an instant; its bounds
 * are then read from `starts`, `ends` and `offsets` at the index it returns, plus `shift`.
 */
export class ZoneTable {
  readonly starts: number[] = [];
  readonly ends: number[] = [];
  readonly offsets: number[] = [];
  /** What to add to the bounds after the last `locate`: 0, or a multiple of 400 years for instants of the far future. */
  shift = 0;
  /** The span in minutes where the last search began. */
  minuteSpan: MinuteSpan = emptySpan();
  readonly #probe: OffsetProbe;
  #last = 0;
  #edge = Number.NaN;
  #edgeOffset = 0;
  /** The spans again in whole minutes, in the same order. */
  readonly #minuteSpans: MinuteSpan[] = [];
  /** Where the minutes of a stretch of time were found last. A hint may be out of date, so its bounds are checked. */
  readonly #hints: MinuteSpan[] = new Array(HINT_MASK + 1).fill(this.minuteSpan);

  constructor(probe: OffsetProbe) {
    this.#probe = probe;
  }

  /** A zone that never changes its offset. It needs no probe and no growth. */
  static fixed(offset: number): ZoneTable {
    const table = new ZoneTable(() => offset);
    table.#insert(0, Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY, offset);
    return table;
  }

  /** The index of the span that contains `second`. */
  locate(second: number): number {
    const last = this.#last;
    if (this.shift === 0 && second >= this.starts[last]! && second < this.ends[last]!) return last;
    return this.#find(second);
  }

  /**
   * Makes the span at `index` reach one window further in a direction, if what lies there is unknown. A search that leaves a span
   * calls it, so that holes on paths in use close after a few calls and later searches find one long span.
   */
  extend(index: number, direction: 1 | -1): void {
    if (this.shift !== 0) return;
    const edge = direction === 1 ? this.ends[index]! : this.starts[index]! - 1;
    if (edge >= REPEATS_FROM || edge < BEGINNING) return;
    const neighbour = index + direction;
    const known = direction === 1 ? this.starts[neighbour] === edge : this.ends[neighbour] === edge + 1;
    if (!known) this.#find(edge);
  }

  /** The span that contains a minute of the month table. */
  spanOfMinute(minute: number): MinuteSpan {
    const hint = this.#hints[(minute >> HINT_SHIFT) & HINT_MASK]!;
    if (minute >= hint.start && minute < hint.end) return hint;
    const found = this.#minuteSpans[this.#find(secondOfMinute(minute))]!;
    this.#hints[(minute >> HINT_SHIFT) & HINT_MASK] = found;
    return found;
  }

  /** The span that contains a minute of the month table, from now on in `minuteSpan`. */
  enterMinute(minute: number): MinuteSpan {
    const span = this.spanOfMinute(minute);
    this.minuteSpan = span;
    return span;
  }

  /** `extend` for the span that contains a minute of the month table. */
  extendAtMinute(minute: number, direction: 1 | -1): void {
    this.extend(this.#find(secondOfMinute(minute)), direction);
  }

  #find(second: number): number {
    this.shift = 0;
    if (this.ends[0] === Number.POSITIVE_INFINITY) return 0;
    if (second >= REPEATS_FROM) {
      const shift = Math.floor((second - REPEATS_FROM) / CYCLE_SECONDS) * CYCLE_SECONDS;
      second -= shift;
      const index = this.#findKnown(second);
      this.shift = shift;
      return index;
    }
    return this.#findKnown(second);
  }

  #findKnown(second: number): number {
    let index = this.#lastStartingAtOrBefore(second);
    if (index < 0 || second >= this.ends[index]!) {
      this.#learn(second, index + 1);
      index = this.#lastStartingAtOrBefore(second);
    }
    this.#last = index;
    return index;
  }

  #lastStartingAtOrBefore(second: number): number {
    let low = 0;
    let high = this.starts.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.starts[middle]! <= second) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }

  /** Learns the window around an unknown second and inserts its spans before `at`. */
  #learn(second: number, at: number): void {
    if (second < BEGINNING) {
      this.#insert(at, Number.NEGATIVE_INFINITY, BEGINNING, this.#probe(BEGINNING));
      return;
    }
    const size = second < 0 ? OLD_WINDOW : WINDOW;
    const end = Math.floor(second / size) * size + size;
    let start = end - size;
    let offset = this.#offsetAt(start, at);
    const offsetAtEnd = this.#offsetAt(end, at);
    // A window holds at most a handful of transitions; the bound only guards against a probe that contradicts itself.
    for (let transitions = 0; offset !== offsetAtEnd && transitions < 64; transitions++) {
      const change = this.#firstChange(start, end, offset);
      at = this.#insert(at, start, change, offset);
      start = change;
      offset = this.#probe(change);
    }
    this.#insert(at, start, end, offset);
  }

  /** The offset at a window's edge: known when a span begins there, probed otherwise. */
  #offsetAt(second: number, at: number): number {
    if (this.starts[at] === second) return this.offsets[at]!;
    // The far edge of one window is the near edge of the next, which is often the next to be learnt.
    if (second !== this.#edge) {
      this.#edgeOffset = this.#probe(second);
      this.#edge = second;
    }
    return this.#edgeOffset;
  }

  /** The first second after `low` whose offset is not `offset`; the offset at `high` is known to differ. */
  #firstChange(low: number, high: number, offset: number): number {
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2);
      if (this.#probe(middle) === offset) low = middle;
      else high = middle;
    }
    return high;
  }

  /** Inserts a span before `at`, joined with neighbours of the same offset that it touches. Returns the index after it. */
  #insert(at: number, start: number, end: number, offset: number): number {
    const joinsBefore = at > 0 && this.ends[at - 1] === start && this.offsets[at - 1] === offset;
    const joinsAfter = this.starts[at] === end && this.offsets[at] === offset;
    if (joinsBefore && joinsAfter) {
      this.ends[at - 1] = this.ends[at]!;
      this.starts.splice(at, 1);
      this.ends.splice(at, 1);
      this.offsets.splice(at, 1);
      retireSpan(this.#minuteSpans.splice(at, 1)[0]!);
      this.#copyToMinutes(at - 1);
      return at;
    }
    if (joinsBefore) {
      this.ends[at - 1] = end;
      this.#copyToMinutes(at - 1);
      return at;
    }
    if (joinsAfter) {
      this.starts[at] = start;
      this.#copyToMinutes(at);
      return at + 1;
    }
    this.starts.splice(at, 0, start);
    this.ends.splice(at, 0, end);
    this.offsets.splice(at, 0, offset);
    this.#minuteSpans.splice(at, 0, emptySpan());
    this.#copyToMinutes(at);
    return at + 1;
  }

  #copyToMinutes(index: number): void {
    setSpan(this.#minuteSpans[index]!, this.starts[index]!, this.ends[index]!, this.offsets[index]!);
  }
}
