import type { EpochMs } from '@horae/clock-store';
import type { Upcoming } from '../../store/upcoming.js';

/** What decides for how long a node that is alone and has nothing in hand stays idle. */
export interface IdleFacts {
  readonly now: EpochMs;
  readonly upcoming: Upcoming;
  /** Jobs are claimed, and delayed runs taken, so long before they are due. */
  readonly preReadMs: number;
  readonly nearMs: number;
  /** When retention looks again at the earliest, and from when on it finds something; null: there is nothing to find. */
  readonly retention: { readonly dueAt: EpochMs; readonly findsAt: EpochMs | null };
}

/** Until when a pass finds nothing to do, unless somebody does something; `now` at the earliest, and `Infinity` for ever. */
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
