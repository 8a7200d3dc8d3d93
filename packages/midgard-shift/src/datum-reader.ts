import { CborReader } from './cbor-reader.js';
import { toHex } from './hex.js';
import { PlutusDecodeError } from './plutus-decode-error.js';
import type { PubKeyHash } from './pub-key-hash.js';

const KEY_BYTES = 28;

/** Reads one value from all of `bytes`. */
export function decodeWhole<Value>(bytes: Uint8Array, read: (reader: CborReader) => Value): Value {
  const reader = new CborReader(bytes);
  const value = read(reader);
  reader.end();
  return value;
}

/** Reads a constructor with a number for each of `readers` and hands its fields to the one it has. */
export function readConstr<Value>(
  reader: CborReader,
  alternatives: readonly { readonly arity: number; read(field: <T>(read: (r: CborReader) => T) => T): Value }[],
): Value {
  const { offset } = reader;
  const { constr, fields, close } = reader.openConstr();
  const alternative = alternatives[constr];
  if (alternative === undefined)
    throw new PlutusDecodeError('wrong-tag', `There is no constructor ${constr} here`, offset);
  const { arity } = alternative;
  const demand = (isAsWanted: boolean) => {
    if (!isAsWanted)
      throw new PlutusDecodeError('wrong-arity', `Constructor ${constr} has ${arity} fields`, fields.offset);
  };
  demand(fields.left === null || fields.left === BigInt(arity));
  const value = alternative.read((read) => {
    demand(reader.hasItem(fields));
    return read(reader);
  });
  demand(!reader.hasItem(fields));
  close();
  return value;
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
