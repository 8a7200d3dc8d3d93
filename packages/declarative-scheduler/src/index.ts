export type { DurationLike } from '@horae/clock-store';
export { CronCalculationError, FieldParseError, InvalidCronExpressionError } from '@horae/cron-grammar';
export type { Explanation } from './explain.js';
export type { Logger } from './logger.js';
export { memoryTaskStore } from './memory-task-store.js';
export { type Observation, observe, type TaskSnapshot } from './observe.js';
export type { Callback, Registration, RunContext } from './registration.js';
export {
  CronExpressionInvalidError,
  InvalidRegistrationError,
  NegativeRetryDelayError,
  RegistrationShapeError,
  RegistrationsNotArrayError,
  ScheduleDuplicateTaskError,
} from './registration-errors.js';
export type { TaskOrigin } from './resolve-overrides.js';
export type { RunReason } from './run-reason.js';
export { createScheduler } from './scheduler.js';
export {
  SchedulerAlreadyActiveError,
  SchedulerOptionError,
  SchedulerStoppingError,
  TaskStoreError,
  TaskTimeoutError,
  UnknownTaskError,
} from './scheduler-errors.js';
export type { Scheduler } from './scheduler-interface.js';
export type { SchedulerOptions } from './scheduler-options.js';
export { deserializeTask, type TaskRecord } from './task-record.js';
export {
  TaskInvalidStructureError,
  TaskInvalidTypeError,
  TaskInvalidValueError,
  TaskMissingFieldError,
  TaskTryDeserializeError,
} from './task-record-errors.js';
export type { TaskStore } from './task-store.js';
export type { TaskState } from './task-transitions.js';
export type { EventName, TraceEvent } from './trace-event.js';
