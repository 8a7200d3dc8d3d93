import { HoraeError } from '@horae/clock-store';
import type { Category, ResourceKey } from './resource-keys.js';

/** What a `RewriteInputError` can complain about. */
export type RewriteInputCode =
  | 'bad-scope-hash'
  | 'bad-rule'
  | 'bad-rule-id'
  | 'bad-key'
  | 'bad-mask'
  | 'warp-mismatch'
  | 'bad-mark'
  | 'explain-off'
  | 'bad-receipt';

/** The field that was refused and the value found in it. */
export interface RefusedField {
  readonly field: string;
  readonly value: unknown;
}

/**
 * A rewrite, key, mask, mark or receipt that cannot be used; `code` says which, `details` name the field and its value.
 * It is thrown before anything has changed.
 */
export class RewriteInputError extends HoraeError<RefusedField> {
  readonly code: RewriteInputCode;

  constructor(code: RewriteInputCode, message: string, details: RefusedField, options?: { cause?: unknown }) {
    super(message, details, options);
    this.code = code;
  }
}

/** An argument that is not part of a rewrite and cannot be used: a transaction id, an option, a number of workers. */
export class RewriteArgumentError extends HoraeError<RefusedField> {
  readonly code = 'bad-argument';
}

/** A guarded rewrite touched what its footprint does not declare. The world behind the guard has not been touched. */
export class FootprintViolationError extends HoraeError<{ readonly category: Category; readonly key: ResourceKey }> {
  readonly code: 'undeclared-read' | 'undeclared-write';

  constructor(code: 'undeclared-read' | 'undeclared-write', message: string, category: Category, key: ResourceKey) {
    super(message, { category, key });
    this.code = code;
  }
}

/** A worker thread of `runWaves` ended, or could not load its module, before it had given its results. */
export class WaveWorkerError extends HoraeError<{ readonly module: string }> {
  readonly code = 'wave-worker-failed';
}
