import type { CborReader } from './cbor-reader.js';
import { decodeWhole, readConstr, readKey, readNumber } from './datum-reader.js';
import { readPlutusData } from './decode-plutus-data.js';
import { encodePlutusData } from './encode-plutus-data.js';
import { fromHex } from './hex.js';
import { refuse } from './midgard-input-error.js';
import { checkDatum, type SchedulerDatum } from './midgard-state.js';
import type { EncodeOptions, PlutusConstr, PlutusData } from './plutus-data.js';
import { checkedKey, type PubKeyHash } from './pub-key-hash.js';

/** An element of an on-chain list; `key: null` is the root, `link: null` the end. */
export interface NodeDatum {
  readonly key: PubKeyHash | null;
  readonly link: PubKeyHash | null;
  readonly data: PlutusData;
}

/** The datum of the scheduler's utxo: constructor 0 with the key hash and the start of the shift. */
export function encodeSchedulerDatum(datum: SchedulerDatum, options?: EncodeOptions): Uint8Array {
  checkDatum('datum', datum);
  return encodePlutusData(constr(0, [keyBytes(datum.operator), BigInt(datum.shiftStart)]), options);
}

/** The scheduler's datum in `bytes`. Throws `PlutusDecodeError` with the offset for anything else. */
export function decodeSchedulerDatum(bytes: Uint8Array): SchedulerDatum {
  return decodeWhole(bytes, (reader) =>
    readConstr(reader, [
      {
        arity: 2,
        read: (field) =>
          Object.freeze({ operator: field(readKey), shiftStart: field(readNumber(Number.MIN_SAFE_INTEGER)) }),
      },
    ]),
  );
}

/** A node of the active, registered or retired list: constructor 0 with key, link and data. */
export function encodeNodeDatum(node: NodeDatum, options?: EncodeOptions): Uint8Array {
  if (typeof node !== 'object' || node === null) refuse('node', '{ key, link, data }', node);
  return encodePlutusData(
    constr(0, [optionalKey('node.key', node.key), optionalKey('node.link', node.link), node.data]),
    options,
  );
}

/** The list node in `bytes`. Throws `PlutusDecodeError` with the offset for anything else. */
export function decodeNodeDatum(bytes: Uint8Array): NodeDatum {
  return decodeWhole(bytes, (reader) =>
    readConstr(reader, [
      {
        arity: 3,
        read: (field) =>
          Object.freeze({ key: field(readOptionalKey), link: field(readOptionalKey), data: field(readPlutusData) }),
      },
    ]),
  );
}

function readOptionalKey(reader: CborReader): PubKeyHash | null {
  return readConstr<PubKeyHash | null>(reader, [
    { arity: 1, read: (field) => field(readKey) },
    { arity: 0, read: () => null },
  ]);
}

function optionalKey(field: string, key: PubKeyHash | null): PlutusConstr {
  return key === null ? constr(1, []) : constr(0, [keyBytes(checkedKey(field, key))]);
}

function keyBytes(key: PubKeyHash): Uint8Array {
  return fromHex(key);
}

function constr(number: number, fields: readonly PlutusData[]): PlutusConstr {
  return { constr: number, fields };
}
