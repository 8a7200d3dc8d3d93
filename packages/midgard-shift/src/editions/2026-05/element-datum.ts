import type { CborReader } from '../../cbor/cbor-reader.js';
import { decodeWhole, readConstr } from '../../cbor/datum-reader.js';
import { readPlutusData } from '../../cbor/decode-plutus-data.js';
import { encodePlutusData } from '../../cbor/encode-plutus-data.js';
import type { DecodeOptions, EncodeOptions, PlutusConstr, PlutusData } from '../../cbor/plutus-data.js';
import { fromHex, toHex } from '../../state/hex.js';
import { refuse } from '../../state/midgard-input-error.js';
import { onlyIn } from '../only-in.js';

/** An element of an on-chain list of edition `2026-05`. Its key is not in the datum but in the name of its token. */
export interface ElementDatum {
  readonly element: 'root' | 'node';
  readonly data: PlutusData;
  /** The key of the next element in hex; null at the end of the list. */
  readonly link: string | null;
}

/** An element of the active, registered or retired list: constructor 0 with root or node, and the optional link. */
export function encodeElementDatum(value: ElementDatum, options: EncodeOptions = {}): Uint8Array {
  onlyIn('2026-05', options, 'encodeNodeDatum');
  if (typeof value !== 'object' || value === null) refuse('value', '{ element, data, link }', value);
  const { element, data, link } = value;
  if (element !== 'root' && element !== 'node') refuse('value.element', "'root' or 'node'", element);
  const content: PlutusConstr = { constr: element === 'root' ? 0 : 1, fields: [data] };
  return encodePlutusData({ constr: 0, fields: [content, optionalLink(link)] }, options);
}

/** The list element in `bytes`. Throws `PlutusDecodeError` with the offset for anything else. */
export function decodeElementDatum(bytes: Uint8Array, options: DecodeOptions = {}): ElementDatum {
  onlyIn('2026-05', options, 'decodeNodeDatum');
  return decodeWhole(bytes, (reader) =>
    readConstr(reader, [
      { arity: 2, read: (field) => Object.freeze({ ...field(readContent), link: field(readOptionalLink) }) },
    ]),
  );
}

function readContent(reader: CborReader): Pick<ElementDatum, 'element' | 'data'> {
  return readConstr<Pick<ElementDatum, 'element' | 'data'>>(reader, [
    { arity: 1, read: (field) => ({ element: 'root', data: field(readPlutusData) }) },
    { arity: 1, read: (field) => ({ element: 'node', data: field(readPlutusData) }) },
  ]);
}

function readOptionalLink(reader: CborReader): string | null {
  return readConstr<string | null>(reader, [
    { arity: 1, read: (field) => toHex(field((each) => each.bytes())) },
    { arity: 0, read: () => null },
  ]);
}

function optionalLink(link: string | null): PlutusConstr {
  if (link === null) return { constr: 1, fields: [] };
  if (typeof link !== 'string' || !/^([0-9a-f]{2})*$/.test(link)) refuse('value.link', 'lower case hex, or null', link);
  return { constr: 0, fields: [fromHex(link)] };
}
