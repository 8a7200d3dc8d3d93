import type { EpochMs } from '@horae/clock-store';

/** The occurrences of a schedule, computed by arithmetic without iteration. */
export interface Timetable {
  /** The first occurrence after `after`; null when there is none. */
  next(after: EpochMs): EpochMs | null;
  /** The last occurrence before `before`; null when there is none. */
  previous(before: EpochMs): EpochMs | null;
  /** How many occurrences lie in `[from, to)`, where that can be computed without iteration. */
  count?(from: EpochMs, to: EpochMs): number;
}
