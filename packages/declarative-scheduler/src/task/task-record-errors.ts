import { HoraeError } from '@horae/clock-store';

/** A stored task record cannot be used; the subclasses say why. The scheduler discards it and counts the task as new. */
export abstract class TaskTryDeserializeError<Details extends object = object> extends HoraeError<Details> {}

/** A required field is missing from a stored record. */
export class TaskMissingFieldError extends TaskTryDeserializeError<{ field: string; taskName: unknown }> {
  readonly code: string = 'task-missing-field';

  constructor(field: string, taskName: unknown) {
    super(`Missing required field: ${field}`, { field, taskName });
  }
}

/** A field of a stored record has the wrong type. */
export class TaskInvalidTypeError extends TaskTryDeserializeError<{
  field: string;
  value: unknown;
  expectedType: string;
  actualType: string;
  taskName: unknown;
}> {
  readonly code: string = 'task-invalid-type';

  constructor(field: string, value: unknown, expectedType: string, taskName: unknown) {
    const actualType = value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;
    super(`Invalid type for field '${field}': expected ${expectedType}, got ${actualType}`, {
      field,
      value,
      expectedType,
      actualType,
      taskName,
    });
  }
}

/** A field of a stored record has the right type and an impossible value. */
export class TaskInvalidValueError extends TaskTryDeserializeError<{
  field: string;
  value: unknown;
  reason: string;
  taskName: unknown;
}> {
  readonly code: string = 'task-invalid-value';

  constructor(field: string, value: unknown, reason: string, taskName: unknown) {
    super(`Invalid value for field '${field}': ${reason}`, { field, value, reason, taskName });
  }
}

/** A stored record is not a record at all. */
export class TaskInvalidStructureError extends TaskTryDeserializeError<{ value: unknown }> {
  readonly code: string = 'task-invalid-structure';

  constructor(value: unknown) {
    super(`A stored task is an object with named fields, got ${value === null ? 'null' : typeof value}`, { value });
  }
}
