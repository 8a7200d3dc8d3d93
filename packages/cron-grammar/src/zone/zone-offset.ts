import { resolveZone } from '@horae/clock-store';
import { DAY_SECONDS, monthStart } from '../calendar/civil-day.js';

/** Returns how many seconds a zone is ahead of UTC at a given second since 1970. */
export type OffsetProbe = (second: number) => number;

/**
 * A probe of a zone's offset through `Intl`, the one source of zone rules that every runtime carries. One call costs microseconds, so the
 * zone table keeps the answers. Throws `UnknownZoneError` for a name that the runtime does not support.
 */
export function offsetProbe(zone: string): OffsetProbe {
  const format = formatterOf(zone);
  return (second) => localSecond(format.format(second * 1000)) - second;
}

function formatterOf(zone: string): Intl.DateTimeFormat {
  try {
    return new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
  } catch (cause) {
    // resolveZone owns the wording for an unknown name; anything else is passed on as it is.
    resolveZone(zone);
    throw cause;
  }
}

/** Reads `11/14/2023, 23:13:20`: six numbers in a fixed order, whatever stands between them. */
function localSecond(text: string): number {
  const numbers = [0, 0, 0, 0, 0, 0];
  let index = 0;
  let inNumber = false;
  for (let i = 0; i < text.length; i++) {
    const digit = text.charCodeAt(i) - 48;
    if (digit >= 0 && digit <= 9) {
      numbers[index] = numbers[index]! * 10 + digit;
      inNumber = true;
    } else if (inNumber) {
      index++;
      inNumber = false;
    }
  }
  const [month, day, year, hour, minute, second] = numbers as [number, number, number, number, number, number];
  return (monthStart(year * 12 + month - 1) + day - 1) * DAY_SECONDS + hour * 3600 + minute * 60 + second;
}
