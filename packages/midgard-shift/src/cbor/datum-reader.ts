import { toHex } from '../state/hex.js';
import type { PubKeyHash } from '../state/pub-key-hash.js';
import { CborReader, type OpenArray } from './cbor-reader.js';
import { readPlutusData } from './decode-plutus-data.js';
import { PlutusDecodeError } from './plutus-decode-error.js';

const KEY_BYTES = 28;

/** Reads one value from all of `bytes`. */
export function decodeWhole<Value>(bytes: Uint8Array, read: (reader: CborReader) => Value): Value {
  const reader = new CborReader(bytes);
  const value = read(reader);
  reader.end();
  return value;
}

/** Reads the next field of a constructor. */
export type ReadField = <Field>(read: (reader: CborReader) => Field) => Field;

/** A constructor that is allowed where one is read; its place in the list is its number. */
export interface ConstrAlternative<Value> {
  readonly arity: number;
  read(field: ReadField): Value;
}

/** Reads a constructor and passes its fields to the alternative of its number. */
export function readConstr<Value>(reader: CborReader, alternatives: readonly ConstrAlternative<Value>[]): Value {
  const { offset } = reader;
  const { constr, fields, close } = reader.openConstr();
  const alternative = alternatives[constr];
  if (alternative === undefined)
    throw new PlutusDecodeError('wrong-tag', `There is no constructor ${constr} here`, offset);
  const { arity } = alternative;
  const wrongArity = (found: number | string) => {
    const message = `Constructor ${constr} should have ${counted(arity)}, found ${found}`;
    return new PlutusDecodeError('wrong-arity', message, fields.offset);
  };
  if (fields.left !== null && fields.left !== arity) throw wrongArity(fields.left);
  let seen = 0;
  const value = alternative.read((read) => {
    if (!reader.hasItem(fields)) throw wrongArity(String(seen));
    seen += 1;
    return read(reader);
  });
  if (reader.hasItem(fields)) throw wrongArity(countToBreak(reader, fields, arity));
  close();
  return value;
}

/**
 * How many items an array without a length has in all, `seen` of which are read; a text such as "more than 3" where the following items
 * cannot be read.
 */
function countToBreak(reader: CborReader, array: OpenArray, seen: number): number | string {
  let count = seen;
  try {
    do {
      readPlutusData(reader);
      count += 1;
    } while (reader.hasItem(array));
    return count;
  } catch {
    return `more than ${count}`;
  }
}

/** A whole number that a double holds exactly, from `least` on. */
export function readNumber(least: number): (reader: CborReader) => number {
  return (reader) => {
    const { offset } = reader;
    const value = reader.integer();
    if (value >= BigInt(least) && value <= BigInt(Number.MAX_SAFE_INTEGER)) return Number(value);
    throw new PlutusDecodeError('out-of-range', `${value} is not a whole number from ${least} to 2^53 - 1`, offset);
  };
}

/** A key hash of 28 bytes. */
export function readKey(reader: CborReader): PubKeyHash {
  const { offset } = reader;
  const bytes = reader.bytes();
  if (bytes.length === KEY_BYTES) return toHex(bytes);
  throw new PlutusDecodeError('wrong-length', `A key hash has ${KEY_BYTES} bytes, not ${bytes.length}`, offset);
}

function counted(fields: number): string {
  return fields === 1 ? '1 field' : `${fields === 0 ? 'no' : fields} fields`;
}
