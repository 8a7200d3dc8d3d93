import type { EpochMs } from '@horae/clock-store';

/** Writes instants as ISO 8601 in the local time of a zone: `2026-03-02T09:00:00+01:00`. */
export function localTimeIn(zone: string): (at: EpochMs) => string {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    calendar: 'gregory',
    era: 'short',
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  return (at) => {
    const parts: Record<string, string> = {};
    for (const { type, value } of format.formatToParts(at)) parts[type] = value;
    const year = parts.era === 'BC' ? 1 - Number(parts.year) : Number(parts.year);
    const local = new Date(0);
    local.setUTCFullYear(year, Number(parts.month) - 1, Number(parts.day));
    local.setUTCHours(Number(parts.hour), Number(parts.minute), Number(parts.second), 0);
    const wholeSecond = Math.floor(at / 1000) * 1000;
    return `${local.toISOString().slice(0, -5)}${offsetText(local.getTime() - wholeSecond)}`;
  };
}

/** `+01:00`; zones of old had seconds in their offset, which are rounded away. */
function offsetText(offsetMs: number): string {
  const minutes = Math.round(Math.abs(offsetMs) / 60_000);
  const sign = offsetMs < 0 ? '-' : '+';
  const two = (value: number) => String(value).padStart(2, '0');
  return `${sign}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}
