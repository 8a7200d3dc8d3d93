import { DateTime } from 'luxon';

export interface LocalDay {
  /** ISO date. */
  readonly date: string;
  readonly start: number;
  readonly end: number;
  /** Monday is 0. */
  readonly weekday: number;
}

/** Every local day of a year: some are shorter or longer than 24 hours. */
export function localDays(year: number, zone: string): LocalDay[] {
  const days: LocalDay[] = [];
  let day = DateTime.fromObject({ year, month: 1, day: 1 }, { zone }).startOf('day');
  while (day.year === year) {
    // At noon plus a day the next date is certain, whatever happens at midnight.
    const next = day.set({ hour: 12 }).plus({ days: 1 }).startOf('day');
    days.push({ date: day.toISODate()!, start: day.toMillis(), end: next.toMillis(), weekday: day.weekday - 1 });
    day = next;
  }
  return days;
}

/** The hour on the wall at an instant. */
export function localHour(at: number, zone: string): number {
  return DateTime.fromMillis(at, { zone }).hour;
}

/** `+01:00 to +02:00`: the offsets at the beginning and the end of a day. */
export function offsetChange({ start, end }: LocalDay, zone: string): string {
  const offset = (at: number) => DateTime.fromMillis(at, { zone }).toFormat('ZZ');
  return `${offset(start)} to ${offset(end - 1)}`;
}

/** The clock's reading with its offset, which distinguishes the two passes of a repeated hour. */
export function clockReading(at: number, zone: string): string {
  return DateTime.fromMillis(at, { zone }).toFormat('HH:mm ZZ');
}
