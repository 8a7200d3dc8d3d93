import { MODE, type SortedUses } from '../intern/compiled-uses.js';
import { NO_PLACE } from '../intern/path-table.js';

/** The words that a look at one use needs. Stamps are `ticket * 2 + exclusive` per resource, cells `ticket * 4 + mode`, four per place. */
export interface UseTables {
  readonly stamps: Uint32Array;
  readonly cells: Uint32Array;
  /** Per place the resource that its point is. */
  readonly points: Uint32Array;
  /** Per resource the ticket of its first adder. */
  readonly adders: Uint32Array;
}

/**
 * Whether nobody is anywhere near: every single key is free, or read by both sides, no subtree is held at a point, and of subtrees nothing
 * is in use. False may mean a conflict or not; it takes a closer look. Ranges and places further above are not looked at.
 */
export function areAlone(uses: SortedUses, tables: UseTables, floor: number, hasWide: boolean): boolean {
  if (!areFree(uses.singles, tables.stamps, floor * 2 + 1)) return false;
  if (hasWide && !areUncovered(uses.pointPlaces, tables.cells, floor * 4 + 3)) return false;
  return uses.subtrees.length === 0 || areUnused(uses.subtrees, tables, floor);
}

function areFree(singles: Uint32Array, stamps: Uint32Array, floor: number): boolean {
  for (let at = 0; at < singles.length; at++) {
    const use = singles[at]!;
    const stamp = stamps[use >>> 2]!;
    if (stamp > floor && ((stamp & 1) | (use & 3)) !== 0) return false;
  }
  return true;
}

function areUncovered(places: Uint32Array, cells: Uint32Array, floor: number): boolean {
  for (let at = 0; at < places.length; at++) if (cells[places[at]! * 4]! > floor) return false;
  return true;
}

function areUnused(subtrees: Uint32Array, { stamps, cells, points }: UseTables, floor: number): boolean {
  const cellFloor = floor * 4 + 3;
  for (let at = 0; at < subtrees.length; at++) {
    const place = subtrees[at]! >>> 2;
    const own = place * 4;
    if (cells[own]! > cellFloor || cells[own + 1]! > cellFloor) return false;
    if (cells[own + 2]! > cellFloor || cells[own + 3]! > cellFloor) return false;
    const point = points[place]!;
    if (point !== NO_PLACE && stamps[point]! > floor * 2 + 1) return false;
  }
  return true;
}

/** Marks single resources and the places of subtrees that are not held yet. */
export function markUses(
  { singles, subtrees }: SortedUses,
  { stamps, cells, adders }: UseTables,
  floor: number,
  ticket: number,
): void {
  const stampFloor = floor * 2 + 1;
  for (let at = 0; at < singles.length; at++) {
    const use = singles[at]!;
    const resource = use >>> 2;
    if (stamps[resource]! > stampFloor) continue;
    const mode = use & 3;
    stamps[resource] = ticket * 2 + (mode === MODE.read ? 0 : 1);
    // What earlier transactions have left there is at or below the floor, and counts as nothing.
    if (mode === MODE.add) adders[resource] = ticket;
  }
  const cellFloor = floor * 4 + 3;
  for (let at = 0; at < subtrees.length; at++) {
    const use = subtrees[at]!;
    const own = (use >>> 2) * 4;
    if (cells[own]! <= cellFloor) cells[own] = ticket * 4 + (use & 3);
  }
}
