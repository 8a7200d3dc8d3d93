import { HoraeError } from '@horae/clock-store';

/** `initialize` was given something that is not an array. */
export class RegistrationsNotArrayError extends HoraeError<Record<string, never>> {
  readonly code: string = 'registrations-not-array';

  constructor() {
    super('Registrations must be an array', {});
  }
}

/** A registration is not the 4-tuple of name, cron expression, callback and retry delay. */
export class RegistrationShapeError extends HoraeError<{
  registrationIndex: number;
  received: unknown;
  /** `registration`, `name`, `cron`, `callback` or `retryDelay`. */
  field: string;
  value: unknown;
  expected: string;
  [extra: string]: unknown;
}> {
  readonly code: string = 'registration-shape';
}

/** A registration has the right shape and a value that cannot be used. */
export class InvalidRegistrationError extends RegistrationShapeError {
  override readonly code: string = 'invalid-registration';
  declare readonly details: Readonly<{
    registrationIndex: number;
    received: unknown;
    field: string;
    value: unknown;
    expected: string;
    reason: string;
  }>;
}

/** Two registrations have the same name. */
export class ScheduleDuplicateTaskError extends HoraeError<{ taskName: string; registrationIndex: number }> {
  readonly code: string = 'duplicate-task';
}

/** A registration's cron expression is refused by the grammar, or can never fire. */
export class CronExpressionInvalidError extends HoraeError<{
  expression: string;
  field: string;
  reason: string;
  cause: unknown;
  registrationIndex: number;
  taskName: string;
  /** The same times in the refused dialect, where that can be said. */
  suggestion?: string;
  /** The option that makes the text readable as it is, where another dialect reads it. */
  remedy?: string;
}> {
  readonly code: string = 'cron-expression-invalid';
}

/** A retry delay is below zero. */
export class NegativeRetryDelayError extends HoraeError<{
  retryDelayMs: number;
  registrationIndex: number;
  taskName: string;
}> {
  readonly code: string = 'negative-retry-delay';
}
