import type { EpochMs } from '@horae/clock-store';

/** The occurrences of a schedule, found by arithmetic: nothing walks. */
export interface Timetable {
  /** The first occurrence after `after`; null when there is none. */
  next(after: EpochMs): EpochMs | null;
  /** The last occurrence before `before`; null when there is none. */
  previous(before: EpochMs): EpochMs | null;
  /** How many occurrences lie in `[from, to)`, where that takes no walk. */
  count?(from: EpochMs, to: EpochMs): number;
}
