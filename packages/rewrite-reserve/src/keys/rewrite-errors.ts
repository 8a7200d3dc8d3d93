import { HoraeError } from '@horae/clock-store';
import type { Category, ResourceKey } from './resource-keys.js';

/** The codes of a `RewriteInputError`. */
export type RewriteInputCode =
  | 'bad-scope-hash'
  | 'bad-rule'
  | 'bad-rule-id'
  | 'bad-key'
  | 'bad-mask'
  | 'warp-mismatch'
  | 'bad-mark'
  | 'explain-off'
  | 'bad-receipt'
  | 'cyclic-order'
  | 'unknown-set';

/** The field that was refused and the value found in it. */
export interface RefusedField {
  readonly field: string;
  /** Missing for 'unknown-set', where the field is enough. */
  readonly value?: unknown;
  /** For 'cyclic-order': the rules of the cycle, each before the next and the last before the first. */
  readonly cycle?: readonly number[];
  /** For 'unknown-set' and unknown options: the name that is nearest to the field's. */
  readonly nearest?: string;
}

/**
 * A rewrite, key, mask, mark or receipt that cannot be used; `code` identifies which, `details` name the field and its value. It is thrown
 * before anything has changed.
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
  readonly code: `undeclared-${'read' | 'add' | 'write'}`;

  constructor(code: FootprintViolationError['code'], message: string, category: Category, key: ResourceKey) {
    super(message, { category, key });
    this.code = code;
  }
}

/** `run` of a pool was called after it had been stopped. */
export class RewritePoolStoppedError extends HoraeError<Record<string, never>> {
  readonly code = 'pool-stopped';
}

/** A worker thread ended, or could not load its module, before it had sent its results. */
export class WaveWorkerError extends HoraeError<{ readonly module: string }> {
  readonly code = 'wave-worker-failed';
}
