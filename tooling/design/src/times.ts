const clockFormats = new Map<string, Intl.DateTimeFormat>();

/** `14:03:07` in a zone; the zone of the reader without one. */
export function clockTime(at: number, zone?: string): string {
  return format('clock', { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' }, zone).format(at);
}

/** `Mon 29 Mar 2026, 03:30:00` in a zone. */
export function dateTime(at: number, zone: string): string {
  const options = { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' } as const;
  return `${format('date', options, zone).format(at).replace(',', '')}, ${clockTime(at, zone)}`;
}

function format(kind: string, options: Intl.DateTimeFormatOptions, zone: string | undefined): Intl.DateTimeFormat {
  const key = `${kind} ${zone ?? ''}`;
  const known = clockFormats.get(key);
  if (known !== undefined) return known;
  const made = new Intl.DateTimeFormat('en-GB', zone === undefined ? options : { ...options, timeZone: zone });
  clockFormats.set(key, made);
  return made;
}

/** `in 12 s`, `3 min ago`, `now`: the distance of an instant from now. */
export function fromNow(at: number, now: number): string {
  const seconds = Math.round((at - now) / 1000);
  if (seconds === 0) return 'now';
  const words = span(Math.abs(seconds));
  return seconds > 0 ? `in ${words}` : `${words} ago`;
}

/** `45 s`, `3 min`, `2 h 5 min`, `4 d`. */
export function span(seconds: number): string {
  if (seconds < 90) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 90) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  if (hours < 48) return minutes % 60 === 0 ? `${hours} h` : `${hours} h ${minutes % 60} min`;
  return `${Math.round(hours / 24)} d`;
}

/** `08:35` for minute 35 of something that starts at eight, always UTC. */
export function minuteClock(startAt: string, minute: number): string {
  return new Date(Date.parse(startAt) + minute * 60_000).toISOString().slice(11, 16);
}
