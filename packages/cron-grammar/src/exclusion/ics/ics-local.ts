import { DAY_SECONDS, monthLength, monthStart } from '../../calendar/civil-day.js';
import { type IcsProperty, invalid } from './content-lines.js';

/** The digits of a date or a time, before any zone is applied. */
export interface IcsLocal {
  /** Seconds since 1970 on the clock that wrote it. */
  readonly local: number;
  readonly allDay: boolean;
  /** Whether it ends in Z. */
  readonly utc: boolean;
}

/** Reads `20261225`, `20261225T090000` or `20261225T090000Z`. */
export function readLocal({ name, value }: IcsProperty): IcsLocal {
  const text = value.trim();
  const parts = /^([0-9]{4})([0-9]{2})([0-9]{2})(?:T([0-9]{2})([0-9]{2})([0-9]{2})(Z?))?$/.exec(text);
  if (parts === null) throw invalid(text, `has a ${name} that is no date and no time`);
  const [year, month, day, hour, minute, second] = parts.slice(1, 7).map((part) => Number(part ?? 0)) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const monthNumber = year * 12 + month - 1;
  const exists =
    month >= 1 &&
    month <= 12 &&
    day >= 1 &&
    day <= monthLength(monthNumber) &&
    hour < 24 &&
    minute < 60 &&
    second <= 60;
  if (!exists) throw invalid(text, `has a ${name} that does not exist`);
  const local = (monthStart(monthNumber) + day - 1) * DAY_SECONDS + hour * 3600 + minute * 60 + second;
  return { local, allDay: parts[4] === undefined, utc: parts[7] === 'Z' };
}
