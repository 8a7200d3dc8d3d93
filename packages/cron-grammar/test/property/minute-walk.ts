/**
 * The oracle: a walk over real time that asks `Intl.DateTimeFormat` what each clock shows, and judges a minute by its five numbers.
 * It shares no code with the package.
 */
export interface Tick {
  /** The instant in milliseconds. */
  readonly at: number;
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly weekday: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
}

export interface FieldSets {
  readonly second: ReadonlySet<number>;
  readonly minute: ReadonlySet<number>;
  readonly hour: ReadonlySet<number>;
  /** Null when the text is `*`. */
  readonly day: ReadonlySet<number> | null;
  readonly month: ReadonlySet<number>;
  /** Null when the text is `*`; Sunday is 0. */
  readonly weekday: ReadonlySet<number> | null;
  /** A crontab whose day or weekday begins with `*`: both must match. */
  readonly both?: boolean;
}

const formatters = new Map<string, Intl.DateTimeFormat>();

function formatterOf(zone: string): Intl.DateTimeFormat {
  let formatter = formatters.get(zone);
  if (formatter === undefined) {
    formatter = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      hourCycle: 'h23',
      weekday: 'short',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
    formatters.set(zone, formatter);
  }
  return formatter;
}

const WEEKDAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];

/** What a wall clock in `zone` shows at an instant. */
export function clockAt(at: number, zone: string): Tick {
  // "Tue, 11/14/2023, 23:13:20"
  const text = formatterOf(zone).format(at);
  const [weekday, date, time] = text.split(', ') as [string, string, string];
  const [month, day, year] = date.split('/') as [string, string, string];
  const [hour, minute, second] = time.split(':') as [string, string, string];
  return {
    at,
    year: Number(year),
    month: Number(month),
    day: Number(day),
    weekday: WEEKDAYS.indexOf(weekday),
    hour: Number(hour),
    minute: Number(minute),
    second: Number(second),
  };
}

/** The offset of a zone at an instant, in milliseconds. */
export function offsetAt(at: number, zone: string): number {
  const tick = clockAt(at, zone);
  return (
    Date.UTC(tick.year, tick.month - 1, tick.day, tick.hour, tick.minute, tick.second) - Math.floor(at / 1000) * 1000
  );
}

/** The ticks of a zone's clock in `[from, to)`, one every `step` milliseconds. */
export function walk(zone: string, from: number, to: number, step: number): Tick[] {
  const ticks: Tick[] = [];
  for (let at = from; at < to; at += step) ticks.push(clockAt(at, zone));
  return ticks;
}

/** Whether a tick is named by the sets: month AND (day OR weekday when both are restricted), and the time of day. */
export function named(sets: FieldSets, tick: Tick): boolean {
  if (!sets.minute.has(tick.minute) || !sets.hour.has(tick.hour) || !sets.month.has(tick.month)) return false;
  if (!sets.second.has(tick.second)) return false;
  if (sets.both) return (sets.day?.has(tick.day) ?? true) && (sets.weekday?.has(tick.weekday) ?? true);
  const day = sets.day?.has(tick.day) ?? false;
  const weekday = sets.weekday?.has(tick.weekday) ?? false;
  if (sets.day === null && sets.weekday === null) return true;
  return day || weekday;
}
