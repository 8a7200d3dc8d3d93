import type { LocalExecutorParts } from '../executor/local-executor.js';
import { TimeRingError } from '../time-ring-error.js';
import type { TimeRing } from '../time-ring-interface.js';

/** What executors in the same process need of a ring, and nobody else sees. */
const internals = new WeakMap<TimeRing, LocalExecutorParts>();

export function rememberInternals(ring: TimeRing, parts: LocalExecutorParts): void {
  internals.set(ring, parts);
}

export function internalsOf(ring: TimeRing): LocalExecutorParts {
  const parts = internals.get(ring);
  if (parts !== undefined) return parts;
  throw new TimeRingError('bad-option', 'ring must be what startTimeRing gave, or the URL of a scheduler', {
    field: 'ring',
    value: ring,
  });
}
