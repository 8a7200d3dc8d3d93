import { oncePerProcess } from '@horae/clock-store';
import { TimeRingError } from '../model/errors.js';
import type { TimeRing } from '../model/interface.js';
import type { LocalExecutorParts } from './local-executor.js';

/** The private parts of a ring that executors in the same process need. */
const internals = oncePerProcess('ring-internals.1', () => new WeakMap<TimeRing, LocalExecutorParts>());

export function rememberInternals(ring: TimeRing, parts: LocalExecutorParts): void {
  internals.set(ring, parts);
}

/** Undefined for a ring that `startTimeRing` did not return, such as a wrapper around one. */
export function findInternals(ring: TimeRing): LocalExecutorParts | undefined {
  return internals.get(ring);
}

export function internalsOf(ring: TimeRing): LocalExecutorParts {
  const parts = internals.get(ring);
  if (parts !== undefined) return parts;
  throw new TimeRingError('bad-option', 'ring must be what startTimeRing gave, or the URL of a scheduler', {
    field: 'ring',
    value: ring,
  });
}
