import type { CborReader } from '../../cbor/cbor-reader.js';
import { decodeWhole, readConstr, readKey } from '../../cbor/datum-reader.js';
import { readPlutusData } from '../../cbor/decode-plutus-data.js';
import { encodePlutusData } from '../../cbor/encode-plutus-data.js';
import type { DecodeOptions, EncodeOptions, PlutusConstr, PlutusData } from '../../cbor/plutus-data.js';
import { fromHex } from '../../state/hex.js';
import { refuse } from '../../state/midgard-input-error.js';
import { checkedKey, type PubKeyHash } from '../../state/pub-key-hash.js';
import { onlyIn } from '../only-in.js';

/** An element of an on-chain list of edition `2025`; `key: null` is the root, `link: null` the end. */
export interface NodeDatum {
  readonly key: PubKeyHash | null;
  readonly link: PubKeyHash | null;
  readonly data: PlutusData;
}

/** A node of the active, registered or retired list: constructor 0 with key, link and data. */
export function encodeNodeDatum(node: NodeDatum, options: EncodeOptions = {}): Uint8Array {
  onlyIn('2025', options, 'encodeElementDatum');
  if (typeof node !== 'object' || node === null) refuse('node', '{ key, link, data }', node);
  const fields = [optionalKey('node.key', node.key), optionalKey('node.link', node.link), node.data];
  return encodePlutusData({ constr: 0, fields }, options);
}

/** The list node in `bytes`. Throws `PlutusDecodeError` with the offset for anything else. */
export function decodeNodeDatum(bytes: Uint8Array, options: DecodeOptions = {}): NodeDatum {
  onlyIn('2025', options, 'decodeElementDatum');
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
  return key === null ? { constr: 1, fields: [] } : { constr: 0, fields: [fromHex(checkedKey(field, key))] };
}
