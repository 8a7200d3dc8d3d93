import { NO_PLACE } from '../intern/path-table.js';

// Loops over the lists in the piece of a rich footprint. They find out whether any use is near; which one, and whether it is a conflict,
// takes a closer look, which few reservations need.

/** Words per place of `below`: the tickets of the first reader, writer and adder of something below it. */
export const BELOW_WORDS = 3;

/** Whether something below this place is in use. */
export function isUsedBelow(below: Uint32Array, place: number, floor: number): boolean {
  const at = place * BELOW_WORDS;
  return below[at]! > floor || below[at + 1]! > floor || below[at + 2]! > floor;
}

/** Whether nothing is in use below any of `above[start..end)`: all that a footprint names is free then, but for what is above it. */
export function areQuiet(above: Uint32Array, start: number, end: number, below: Uint32Array, floor: number): boolean {
  for (let at = start, last = NO_PLACE; at < end; at++) {
    const place = above[at]! >>> 2;
    // The same place stands there once for each mode.
    if (place !== last && isUsedBelow(below, place, floor)) return false;
    last = place;
  }
  return true;
}

/** Whether no subtree is held at any of `places[start..end)`. */
export function areUncovered(
  places: Uint32Array,
  start: number,
  end: number,
  wholes: Uint32Array,
  floor: number,
): boolean {
  for (let at = start; at < end; at++) if (wholes[places[at]!]! >>> 2 > floor) return false;
  return true;
}

/** Whether nothing is in use in the subtrees at `uses[start..end)`, apart from the points at their own places. */
export function areUnused(
  uses: Uint32Array,
  start: number,
  end: number,
  wholes: Uint32Array,
  below: Uint32Array,
  floor: number,
): boolean {
  for (let at = start; at < end; at++) {
    const place = uses[at]! >>> 2;
    if (wholes[place]! >>> 2 > floor || isUsedBelow(below, place, floor)) return false;
  }
  return true;
}

/** Whether no rewrite holds the points at the places of `uses[start..end)`. */
export function arePointsFree(
  uses: Uint32Array,
  start: number,
  end: number,
  points: Uint32Array,
  stamps: Uint32Array,
  floor: number,
): boolean {
  for (let at = start; at < end; at++) {
    const point = points[uses[at]! >>> 2]!;
    if (point !== NO_PLACE && stamps[point]! >>> 1 > floor) return false;
  }
  return true;
}
