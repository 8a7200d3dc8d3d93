import type { EpochMs } from '@horae/clock-store';
import type { Upcoming } from '../../store/upcoming.js';

/** The facts that decide how long a node that is alone and has no work stays idle. */
export interface IdleFacts {
  readonly now: EpochMs;
  readonly upcoming: Upcoming;
  /** How long before they are due jobs are claimed (`preReadMs`) and delayed runs taken (`nearMs`). */
  readonly preReadMs: number;
  readonly nearMs: number;
  /** When retention next runs at the earliest, and from when it finds something to delete; null: nothing to delete. */
  readonly retention: { readonly dueAt: EpochMs; readonly findsAt: EpochMs | null };
}

/** The time until which passes find nothing to do without outside changes; at least `now`, and `Infinity` for ever. */
export function idleUntil({ now, upcoming, preReadMs, nearMs, retention }: IdleFacts): EpochMs {
  if (upcoming.isBusy) return now;
  const times = [
    before(upcoming.jobAt, preReadMs),
    before(upcoming.delayedAt, nearMs),
    before(upcoming.alertAt, 0),
    retention.findsAt === null ? Number.POSITIVE_INFINITY : Math.max(retention.dueAt, retention.findsAt),
  ];
  return Math.max(now, Math.min(...times));
}

function before(at: EpochMs | null, ms: number): EpochMs {
  return at === null ? Number.POSITIVE_INFINITY : at - ms;
}
