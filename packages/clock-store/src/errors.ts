const marker: unique symbol = Symbol.for('horae.error') as never;

/**
 * The base of every error that a Horae package throws on purpose: a stable kebab-case `code`, the facts as frozen
 * `details`, and the `cause` it wraps. Recognise it with `isHoraeError`, which also works when two copies of a package
 * are installed.
 */
export abstract class HoraeError<Details extends object = Readonly<Record<string, unknown>>> extends Error {
  abstract readonly code: string;
  readonly details: Readonly<Details>;

  constructor(message: string, details: Details, options?: { cause?: unknown }) {
    super(message, options);
    this.name = new.target.name;
    this.details = Object.freeze({ ...details });
  }

  static {
    // On the prototype: marking each error would cost a microsecond per throw.
    Object.defineProperty(HoraeError.prototype, marker, { value: true });
  }
}

/** Whether `value` was thrown by a Horae package, whichever copy of it is loaded. */
export function isHoraeError(value: unknown): value is HoraeError {
  return typeof value === 'object' && value !== null && (value as Record<symbol, unknown>)[marker] === true;
}

/** A rule of the program itself does not hold: a bug, caught nowhere inside. */
export class InvariantError extends HoraeError<Record<string, never>> {
  readonly code = 'invariant-broken';
}

/** Throws `InvariantError` unless `condition` holds. For bugs only; bad input has an error of its own. */
export function invariant(condition: unknown, message: string): asserts condition {
  if (!condition) throw new InvariantError(`Invariant broken: ${message}`, {});
}
