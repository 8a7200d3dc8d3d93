import type { Clock, EpochMs } from '@horae/clock-store';
import { TimeRingError } from '../../model/errors.js';
import type { Logger } from '../../model/logger.js';
import type { NodeHeartbeat } from '../../store/job-store.js';
import type { RingTime } from './ring-time.js';

/** The difference between two clocks that causes a warning. */
const WARN_MS = 1_000;
/** How often the warning is repeated. */
const WARN_AGAIN_MS = 60_000;

/**
 * The time of a database server, compared with this machine's at every reading: a server whose clock is ahead would have every job fire
 * early. Warns beyond a second; beyond `maxClockSkewMs` the reading throws, so that a node does not start, or makes no pass until they agree.
 */
export function watchedTime(
  time: RingTime,
  { clock, maxClockSkewMs, log }: { readonly clock: Clock; readonly maxClockSkewMs: number; readonly log: Logger },
): RingTime {
  const isTime = limitedTo(WARN_AGAIN_MS, clock);
  return {
    now: time.now,
    async read(from) {
      const before = clock.now();
      const at = await time.read(from);
      const after = clock.now();
      // The server read its clock somewhere in between.
      const aheadMs = at > after ? at - after : Math.min(0, at - before);
      if (Math.abs(aheadMs) > maxClockSkewMs) throw clockSkew(aheadMs, maxClockSkewMs);
      if (Math.abs(aheadMs) > WARN_MS && isTime()) {
        log.warn(
          { aheadMs, maxClockSkewMs },
          `The clock of the database is ${told(aheadMs)} this machine's: set both by NTP`,
        );
      }
      return at;
    },
  };
}

/** Warns about other nodes with heartbeats from the future: their database member's clock, or this one's, is wrong. */
export function createHeartbeatWatch(
  log: Logger,
  clock: Pick<Clock, 'monotonicMs'>,
): (beats: readonly NodeHeartbeat[], now: EpochMs) => void {
  const isTime = limitedTo(WARN_AGAIN_MS, clock);
  return (beats, now) => {
    const ahead = beats.filter(({ beatAt }) => beatAt - now > WARN_MS);
    if (ahead.length === 0 || !isTime()) return;
    const nodes = ahead.map(({ nodeId, beatAt }) => ({ nodeId, aheadMs: beatAt - now }));
    log.warn({ nodes }, 'Other nodes have another time: do all members of the database have their clocks set by NTP?');
  };
}

function limitedTo(everyMs: number, clock: Pick<Clock, 'monotonicMs'>): () => boolean {
  let lastMs = Number.NEGATIVE_INFINITY;
  return () => {
    const nowMs = clock.monotonicMs();
    if (nowMs - lastMs < everyMs) return false;
    lastMs = nowMs;
    return true;
  };
}

function told(aheadMs: number): string {
  return `${Math.abs(aheadMs)} ms ${aheadMs > 0 ? 'ahead of' : 'behind'}`;
}

function clockSkew(aheadMs: number, limit: number): TimeRingError {
  const message = `The clock of the database is ${told(aheadMs)} this machine's, more than the ${limit} of maxClockSkewMs: set both by NTP, or raise maxClockSkewMs if jobs may fire so early or late`;
  return new TimeRingError('clock-skew', message, { field: 'maxClockSkewMs', value: aheadMs, limit });
}
