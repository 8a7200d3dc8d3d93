import { TimeRingError } from '../../model/errors.js';

/** Wraps functions so that each rejects with 'stopped' once `isStopped` returns true. */
export function guardStopped<Api extends object>(api: Api, isStopped: () => boolean): Api {
  const guarded = Object.entries(api).map(([name, call]) => [
    name,
    async (...args: unknown[]) => {
      if (isStopped()) throw stopped();
      return (call as (...args: unknown[]) => unknown)(...args);
    },
  ]);
  return Object.freeze(Object.fromEntries(guarded)) as Api;
}

export function stopped(): TimeRingError {
  return new TimeRingError('stopped', 'The ring is stopped: start another one with startTimeRing', {});
}
