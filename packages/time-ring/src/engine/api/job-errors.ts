import { TimeRingError } from '../../model/errors.js';
import type { Schedule } from '../../model/job.js';

export function isId(id: unknown): id is number {
  return Number.isSafeInteger(id) && (id as number) > 0;
}

/** A run is sent, with the access token, only to an executor that has registered. */
export function unknownExecutor(address: string): TimeRingError {
  const message = `No executor is registered at ${address}: executors.list() shows those that are`;
  return new TimeRingError('unknown-executor', message, { field: 'address', value: address });
}

export function unknownJob(id: unknown): TimeRingError {
  return new TimeRingError('unknown-job', `There is no job ${String(id)}; jobs.list shows those there are`, {
    field: 'id',
    value: id,
  });
}

export function notSchedulable(schedule: Schedule): TimeRingError {
  return new TimeRingError(
    'not-schedulable',
    "A job of kind 'none' has no times: give it a schedule, or run it with jobs.trigger",
    { field: 'schedule', value: schedule },
  );
}

export function badJob(field: string, value: unknown, wanted: string): TimeRingError {
  return new TimeRingError('bad-job', `${field}: ${wanted}`, { field, value });
}
