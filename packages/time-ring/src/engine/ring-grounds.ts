import { type Clock, oncePerProcess } from '@horae/clock-store';
import type { HoraeDatabase } from '@horae/clock-store/storage';
import type { TimeRing } from '../model/interface.js';
import type { Logger } from '../model/logger.js';

/** The foundations of a ring, for code built on top of it in the same process. */
export interface RingGrounds {
  readonly database: HoraeDatabase;
  readonly clock: Clock;
  /** The time zone of expressions that name none. */
  readonly zone: string;
  /** Undefined: the ring was started without one. */
  readonly log: Logger | undefined;
}

const grounds = oncePerProcess('ring-grounds.1', () => new WeakMap<object, RingGrounds>());

export function rememberGrounds(ring: TimeRing, ofRing: RingGrounds): void {
  grounds.set(ring, ofRing);
}

/** Undefined for a ring that `startTimeRing` did not return, such as a wrapper around one. */
export function findGrounds(ring: TimeRing): RingGrounds | undefined {
  return grounds.get(ring);
}
