export type { DurationLike } from '@horae/clock-store';
export { CronCalculationError, FieldParseError, InvalidCronExpressionError } from '@horae/cron-grammar';
export type { Logger } from './base/logger.js';
export {
  NamespaceBusyError,
  NotLeadingError,
  SchedulerAlreadyActiveError,
  SchedulerStoppingError,
  TaskRunningError,
  TaskStoreError,
  TaskTimeoutError,
  UnknownTaskError,
} from './base/scheduler-errors.js';
export type { SchedulerOptions } from './base/scheduler-options.js';
export { type Control, control } from './scheduler/control.js';
export { type Observation, observe, type SchedulerHealth, type TaskSnapshot } from './scheduler/observe.js';
export type { Scheduler } from './scheduler/scheduler-interface.js';
export { createScheduler } from './scheduler.js';
export type { Explanation } from './session/explain.js';
export { type Claimant, type ClaimOutcome, type Holder, type Lease, LeaseLostError } from './store/lease.js';
export { memoryTaskStore } from './store/memory-task-store.js';
export type { Instances, TaskChange, TaskStore } from './store/task-store.js';
export type { DurationInput } from './task/duration.js';
export { SchedulerOptionError } from './task/option-error.js';
export type { Callback, Registration, RunContext, TracedRegistration } from './task/registration.js';
export {
  CronExpressionInvalidError,
  InvalidRegistrationError,
  NegativeRetryDelayError,
  RegistrationShapeError,
  RegistrationsNotArrayError,
  ScheduleDuplicateTaskError,
} from './task/registration-errors.js';
export type { TaskOrigin } from './task/resolve-overrides.js';
export type { RetryPolicy } from './task/retry-plan.js';
export type { RunReason } from './task/run-reason.js';
export { deserializeTask, type TaskRecord } from './task/task-record.js';
export {
  TaskInvalidStructureError,
  TaskInvalidTypeError,
  TaskInvalidValueError,
  TaskMissingFieldError,
  TaskTryDeserializeError,
} from './task/task-record-errors.js';
export type { TaskSettings, TaskSettingsByName } from './task/task-settings.js';
export type { TaskState } from './task/task-transitions.js';
export type { EventName, Role, TraceEvent } from './trace/trace-event.js';
