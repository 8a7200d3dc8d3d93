import { CborReader, isIntegerTag, type OpenArray } from './cbor-reader.js';
import { DEEPEST_NESTING, Major, type PlutusData } from './plutus-data.js';
import { PlutusDecodeError } from './plutus-decode-error.js';

/** The Plutus Data in `bytes`: arrays and byte strings with or without a length, integers of any size. Throws `PlutusDecodeError`. */
export function decodePlutusData(bytes: Uint8Array): PlutusData {
  const reader = new CborReader(bytes);
  const value = readPlutusData(reader);
  reader.end();
  return value;
}

/** The next item as Plutus Data. */
export function readPlutusData(reader: CborReader, depth = 0): PlutusData {
  if (depth > DEEPEST_NESTING)
    throw new PlutusDecodeError('out-of-range', `Nested more than ${DEEPEST_NESTING} levels deep`, reader.offset);
  const { major, tag } = reader.peek();
  if (major === Major.bytes) return reader.bytes();
  if (major === Major.array) return readItems(reader, reader.openArray(), depth);
  if (major === Major.unsigned || major === Major.negative || (tag !== null && isIntegerTag(tag)))
    return reader.integer();
  if (major !== Major.tag)
    throw new PlutusDecodeError('wrong-type', 'Neither integer, bytes, array nor constructor', reader.offset);
  const { constr, fields, close } = reader.openConstr();
  const items = readItems(reader, fields, depth);
  close();
  return Object.freeze({ constr, fields: items });
}

function readItems(reader: CborReader, array: OpenArray, depth: number): readonly PlutusData[] {
  const items: PlutusData[] = [];
  while (reader.hasItem(array)) items.push(readPlutusData(reader, depth + 1));
  return Object.freeze(items);
}
