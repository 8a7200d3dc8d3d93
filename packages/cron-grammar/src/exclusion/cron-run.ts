import { DAY_SECONDS } from '../calendar/civil-day.js';
import { hasBit60, isFull60 } from '../value/bits.js';
import type { CronExpression } from '../value/cron-expression.js';

/** Where the run of matching seconds around a matching second of a day ends, within the day; exclusive. */
export function matchEnd(e: CronExpression, time: number): number {
  let end = time;
  if (!everySecond(e)) {
    while (end % 60 < 59 && hasBit60(e.secondsLow, e.secondsHigh, (end % 60) + 1)) end++;
    return end + 1;
  }
  let minute = (time / 60) | 0;
  do minute++;
  while (minute % 60 !== 0 && hasBit60(e.minutesLow, e.minutesHigh, minute % 60));
  end = minute * 60;
  if (!isFull60(e.minutesLow, e.minutesHigh)) return end;
  while (end < DAY_SECONDS && hasHour(e, end / 3600)) end += 3600;
  return end;
}

/** Where the run of matching seconds around a matching second of a day begins, within the day. */
export function matchStart(e: CronExpression, time: number): number {
  if (!everySecond(e)) {
    let start = time;
    while (start % 60 > 0 && hasBit60(e.secondsLow, e.secondsHigh, (start % 60) - 1)) start--;
    return start;
  }
  let minute = (time / 60) | 0;
  while (minute % 60 !== 0 && hasBit60(e.minutesLow, e.minutesHigh, (minute % 60) - 1)) minute--;
  let start = minute * 60;
  if (!isFull60(e.minutesLow, e.minutesHigh)) return start;
  while (start > 0 && hasHour(e, start / 3600 - 1)) start -= 3600;
  return start;
}

/** Whether a whole minute matches: always, except where the seconds are restricted. */
function everySecond(e: CronExpression): boolean {
  return e.dialect !== 'quartz' || isFull60(e.secondsLow, e.secondsHigh);
}

function hasHour(e: CronExpression, hour: number): boolean {
  return ((e.hours >>> hour) & 1) === 1;
}
