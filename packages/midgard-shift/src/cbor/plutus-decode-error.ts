import { HoraeError } from '@horae/clock-store';

/** What is wrong with the bytes. */
export type PlutusDecodeCode =
  | 'truncated'
  | 'wrong-tag'
  | 'wrong-arity'
  | 'wrong-type'
  | 'wrong-length'
  | 'out-of-range'
  | 'trailing-bytes';

/**
 * The bytes are not what they were read as. `details.offset` is the first byte of the offending item, for the number of fields that of
 * their array, and for input that ends too early its length.
 */
export class PlutusDecodeError extends HoraeError<{ offset: number }> {
  readonly code: PlutusDecodeCode;

  constructor(code: PlutusDecodeCode, message: string, offset: number) {
    super(`${message}, at offset ${offset}`, { offset });
    this.code = code;
  }
}
