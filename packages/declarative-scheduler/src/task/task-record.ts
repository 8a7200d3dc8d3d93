import type { EpochMs } from '@horae/clock-store';
import {
  TaskInvalidStructureError,
  TaskInvalidTypeError,
  TaskInvalidValueError,
  TaskMissingFieldError,
} from './task-record-errors.js';

/** The stored record of one task: its configuration, its history, and whether a run was under way. */
export interface TaskRecord {
  readonly name: string;
  readonly cron: string;
  readonly retryDelayMs: number;
  /** When a task of this name was first registered. */
  readonly registeredAt: EpochMs;
  /** Occurrences up to and including this instant are handled. Never goes back, so that no minute is handled twice. */
  readonly handledUntil: EpochMs;
  /** The start of the latest run. */
  readonly lastAttemptAt: EpochMs | null;
  /** The end of the latest run that succeeded; a later failure does not erase it. */
  readonly lastSuccessAt: EpochMs | null;
  /** The end of the latest run that failed; a later success does not erase it. */
  readonly lastFailureAt: EpochMs | null;
  readonly pendingRetryUntil: EpochMs | null;
  /** Starts so far for the work that is due now: 1 for a first try, one more for each retry. 0 before the first run. */
  readonly attempt: number;
  /** The scheduler that started a run and has not yet recorded its end; the explicit marker of a running task. */
  readonly runningSchedulerId: string | null;
  /** Paused by hand: no scheduled start happens until it is resumed. */
  readonly paused: boolean;
}

type FieldKind = 'text' | 'instant' | 'instant or null' | 'count' | 'duration' | 'text or null' | 'flag';

const fields: { readonly [Field in keyof TaskRecord]: FieldKind } = {
  name: 'text',
  cron: 'text',
  retryDelayMs: 'duration',
  registeredAt: 'instant',
  handledUntil: 'instant',
  lastAttemptAt: 'instant or null',
  lastSuccessAt: 'instant or null',
  lastFailureAt: 'instant or null',
  pendingRetryUntil: 'instant or null',
  attempt: 'count',
  runningSchedulerId: 'text or null',
  paused: 'flag',
};

const fieldKinds = Object.entries(fields) as [keyof TaskRecord, FieldKind][];

/** Checks a value from a store, field by field, and throws the first fault as a `TaskTryDeserializeError`. */
export function deserializeTask(value: unknown): TaskRecord {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new TaskInvalidStructureError(value);
  const raw = value as Record<string, unknown>;
  // Records of the first edition have no field for pauses.
  const record = raw.paused === undefined ? { ...raw, paused: false } : raw;
  for (const [field, kind] of fieldKinds) checkField(record, field, kind);
  return record as unknown as TaskRecord;
}

function checkField(raw: Record<string, unknown>, field: string, kind: FieldKind): void {
  const value = raw[field];
  if (value === undefined) throw new TaskMissingFieldError(field, raw.name);
  if (kind.endsWith('or null') && value === null) return;
  const expected = kind === 'flag' ? 'boolean' : kind.startsWith('text') ? 'string' : 'number';
  if (typeof value !== expected) throw new TaskInvalidTypeError(field, value, expected, raw.name);
  if (typeof value === 'number') {
    const problem = numberProblem(value, kind);
    if (problem !== undefined) throw new TaskInvalidValueError(field, value, problem, raw.name);
  } else if (value === '' && field !== 'cron') {
    throw new TaskInvalidValueError(field, value, 'must not be empty', raw.name);
  }
}

function numberProblem(value: number, kind: FieldKind): string | undefined {
  if (!Number.isFinite(value)) return 'must be finite';
  if (kind.startsWith('instant') && Math.abs(value) > 8.64e15) return 'is not an instant that a calendar has';
  if (kind === 'count' && (!Number.isInteger(value) || value < 0)) return 'must be a whole number from 0 on';
  if (kind === 'duration' && value < 0) return 'must not be negative';
  return undefined;
}
