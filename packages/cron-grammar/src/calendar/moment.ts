import { DAY_SECONDS } from './civil-day.js';

/**
 * A second as two small integers: days since 1970-01-01 and seconds of that day, in UTC or on a wall clock. Searches move it in place and
 * pass it on, because a second since 1970 as one number would be boxed at every call.
 */
export interface Moment {
  day: number;
  second: number;
}

/** Sets a moment to a second since 1970. Infinite seconds result in a meaningless moment. */
export function setMoment(moment: Moment, second: number): void {
  const day = Math.floor(second / DAY_SECONDS) | 0;
  moment.day = day;
  moment.second = (second - day * DAY_SECONDS) | 0;
}

/** Sets a moment to the second that contains an instant in milliseconds. */
export function setMomentMs(moment: Moment, ms: number): void {
  const day = Math.floor(ms / 86_400_000) | 0;
  moment.day = day;
  moment.second = (((ms - day * 86_400_000) | 0) / 1000) | 0;
}

/** Moves a moment by less than a day. */
export function move(moment: Moment, seconds: number): void {
  const second = (moment.second + seconds) | 0;
  if (second < 0) {
    moment.second = second + DAY_SECONDS;
    moment.day = (moment.day - 1) | 0;
  } else if (second >= DAY_SECONDS) {
    moment.second = second - DAY_SECONDS;
    moment.day = (moment.day + 1) | 0;
  } else {
    moment.second = second;
  }
}

/** The second since 1970. */
export function momentSecond(moment: Moment): number {
  return moment.day * DAY_SECONDS + moment.second;
}
