export { type Backoff, backoffMs } from './backoff.js';
export { type Clock, ClockInputError, type EpochMs, type IdleSleepOptions } from './clock.js';
export { type Deferred, deferred } from './deferred.js';
export { DurationInputError, type DurationLike, toDurationMs } from './duration.js';
export { createEmitter, type Emitter, type EmitterOptions } from './emitter.js';
export { HoraeError, InvariantError, invariant, isHoraeError } from './errors.js';
export { createLifecycle, type Lifecycle, type LifecycleState, type LifecycleWork } from './lifecycle.js';
export { oncePerProcess } from './once-per-process.js';
export { type Random, RandomInputError, seededRandom } from './random.js';
export { type RetryUntilAbortedOptions, retryUntilAborted } from './retry-until-aborted.js';
export {
  createSupervisedLoop,
  type NextPass,
  type SupervisedLoop,
  type SupervisedLoopOptions,
} from './supervised-loop.js';
export { systemClock } from './system-clock.js';
export { systemRandom } from './system-random.js';
export { resolveZone, UnknownZoneError } from './zone.js';
