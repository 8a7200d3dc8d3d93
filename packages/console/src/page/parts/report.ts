import type { Bar } from './hour-chart.jsx';

/** A job with what its runs did in the time of a report. */
export interface Figures {
  readonly jobId: number;
  readonly name: string | null;
  readonly runs: number;
  readonly failed: number;
  readonly meanMs: number | null;
  readonly maxMs: number | null;
}

/** The outcomes of the runs in a period, by hour. */
export interface Report {
  readonly hours: readonly { at: number; succeeded: number; failed: number; killed: number; skipped: number }[];
  readonly failing: readonly Figures[];
  readonly slowest: readonly Figures[];
  /** Failed for good. */
  readonly dead: number;
  readonly open: { pending: number; queued: number; running: number; late: number };
}

const HOUR = 3_600_000;

type Hour = Report['hours'][number];

const sumOf = (hours: readonly Hour[]) => ({
  good: hours.reduce((total, { succeeded }) => total + succeeded, 0),
  bad: hours.reduce((total, { failed, killed }) => total + failed + killed, 0),
});

/** A bar per hour of the day before `to`; every sixth hour of the clock is marked. */
export function hourBars(hours: readonly Hour[], to: number): Bar[] {
  return Array.from({ length: 24 }, (_, index) => {
    const at = to - (24 - index) * HOUR;
    const hour = new Date(at).getHours();
    return { at, ...sumOf(hours.filter((one) => one.at === at)), mark: hour % 6 === 0 ? `${hour}:00` : '' };
  });
}

/** A bar per day of the calendar, 30 of them up to the one that `to` is in; every fifth is marked. */
export function dayBars(hours: readonly Hour[], to: number): Bar[] {
  const last = new Date(to - 1);
  return Array.from({ length: 30 }, (_, index) => {
    const day = (ahead: number) =>
      new Date(last.getFullYear(), last.getMonth(), last.getDate() - 29 + index + ahead).getTime();
    const inside = hours.filter(({ at }) => at >= day(0) && at < day(1));
    const date = new Date(day(0));
    return { at: day(0), ...sumOf(inside), mark: index % 5 === 4 ? `${date.getDate()}.${date.getMonth() + 1}.` : '' };
  });
}
