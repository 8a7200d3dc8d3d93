import type { ZoneTable } from './zone-table.js';

/** A change of a zone's offset: the second since 1970 at which it happens, and the offsets before and after. */
export interface ZoneShift {
  readonly at: number;
  readonly before: number;
  readonly after: number;
}

/** How far around an instant a clock change is worth a note. */
const NEARBY = 3 * 3600;

/** The clock change within three hours of a second, or null. */
export function nearbyShift(zone: ZoneTable, second: number): ZoneShift | null {
  return shiftAfter(zone, second - NEARBY, second + NEARBY);
}

/** The first clock change in `(from, to]`, or null. */
export function shiftAfter(zone: ZoneTable, from: number, to: number): ZoneShift | null {
  let second = from;
  while (second < to) {
    const index = zone.locate(second);
    const before = zone.offsets[index]!;
    const end = zone.ends[index]! + zone.shift;
    if (end > to) return null;
    const after = zone.offsets[zone.locate(end)]!;
    if (after !== before) return { at: end, before, after };
    second = end;
  }
  return null;
}

/** The change in words: which local times are missing, or which come twice. */
export function shiftNote(shift: ZoneShift): string {
  const [from, to] = [shift.at + shift.before, shift.at + shift.after];
  return to > from
    ? `The clock goes forward from ${clockTime(from)} to ${clockTime(to)}: local times in between do not exist and are skipped.`
    : `The clock goes back from ${clockTime(from)} to ${clockTime(to)}: local times in between occur twice and fire twice.`;
}

/** A local second as the date and time that a person reads. */
export function clockTime(local: number): string {
  return new Date(local * 1000)
    .toISOString()
    .slice(0, local % 60 === 0 ? 16 : 19)
    .replace('T', ' ');
}
