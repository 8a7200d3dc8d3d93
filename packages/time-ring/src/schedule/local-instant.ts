import type { EpochMs } from '@horae/clock-store';

const LOCAL = /^(\d{4}-\d{2}-\d{2})(?:T(\d{2}:\d{2})(:\d{2}(?:\.\d{1,3})?)?)?$/;
const DAY_MS = 86_400_000;
const formats = new Map<string, Intl.DateTimeFormat>();

/**
 * The instant of an ISO text: by its offset if it has one, otherwise as local time in `zone` (of two instants the first). Null for an
 * invalid time, and for a time that the clocks of the zone skip.
 */
export function localInstant(text: string, zone: string): EpochMs | null {
  if (/(?:Z|[+-]\d{2}:?\d{2})$/i.test(text) && text.includes('T')) {
    const at = Date.parse(text);
    return Number.isNaN(at) ? null : at;
  }
  const [, day, time = '00:00', rest = ':00'] = LOCAL.exec(text) ?? [];
  if (day === undefined) return null;
  const local = Date.parse(`${day}T${time}${rest}Z`);
  // Some engines read the 30 February as 2 March.
  if (Number.isNaN(local) || !new Date(local).toISOString().startsWith(day)) return null;
  const before = offsetAt(local - 2 * DAY_MS, zone);
  const after = offsetAt(local + 2 * DAY_MS, zone);
  for (const offset of [before, after]) {
    if (offsetAt(local - offset, zone) === offset) return local - offset;
  }
  return null;
}

/** How many milliseconds a zone is ahead of UTC at an instant. */
function offsetAt(at: EpochMs, zone: string): number {
  const whole = Math.floor(at / 1_000) * 1_000;
  const parts = Object.fromEntries(
    formatOf(zone)
      .formatToParts(whole)
      .map(({ type, value }) => [type, Number(value)]),
  );
  const { year, month, day, hour, minute, second } = parts as Record<string, number>;
  return Date.UTC(year!, month! - 1, day, hour! % 24, minute, second) - whole;
}

function formatOf(zone: string): Intl.DateTimeFormat {
  let format = formats.get(zone);
  if (format === undefined) {
    format = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      hourCycle: 'h23',
      ...({ year: 'numeric', month: 'numeric', day: 'numeric' } as const),
      ...({ hour: 'numeric', minute: 'numeric', second: 'numeric' } as const),
    });
    formats.set(zone, format);
  }
  return format;
}
