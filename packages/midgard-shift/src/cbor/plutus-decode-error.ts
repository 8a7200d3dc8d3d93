import { HoraeError } from '@horae/clock-store';

/** The kinds of fault in the bytes. */
export type PlutusDecodeCode =
  | 'truncated'
  | 'wrong-tag'
  | 'wrong-arity'
  | 'wrong-type'
  | 'wrong-length'
  | 'out-of-range'
  | 'trailing-bytes';

/**
 * The bytes are not an encoding of the expected value. `details.offset` is the first byte of the offending item, for the number of fields
 * that of their array, and for input that ends too early its length.
 */
export class PlutusDecodeError extends HoraeError<{ offset: number }> {
  readonly code: PlutusDecodeCode;

  constructor(code: PlutusDecodeCode, message: string, offset: number) {
    super(`${message}, at offset ${offset}`, { offset });
    this.code = code;
  }
}
