import { fromHex } from '../state/hex.js';
import { refuse } from '../state/midgard-input-error.js';
import {
  BIG_NEGATIVE_TAG,
  BIG_POSITIVE_TAG,
  BREAK,
  CHUNK_BYTES,
  DEEPEST_NESTING,
  type EncodeOptions,
  GENERAL_CONSTR_TAG,
  Major,
  type PlutusConstr,
  type PlutusData,
  tagOfConstr,
} from './plutus-data.js';

const TWO_64 = 1n << 64n;
const INDEFINITE = 31;

/**
 * Plutus Data as CBOR, byte for byte as the ledger writes it: arrays without a length unless the options say otherwise (an empty one is
 * `80`), byte strings of more than 64 bytes in chunks, integers beyond 64 bits as big numbers. Throws `MidgardInputError` for anything else
 * than Plutus Data.
 */
export function encodePlutusData(value: PlutusData, options: EncodeOptions = {}): Uint8Array {
  const { arrays = 'indefinite' } = options;
  if (arrays !== 'indefinite' && arrays !== 'definite') refuse('options.arrays', "'indefinite' or 'definite'", arrays);
  const out: number[] = [];
  writeData(out, value, arrays === 'definite', 0);
  return new Uint8Array(out);
}

function writeData(out: number[], value: PlutusData, isDefinite: boolean, depth: number): void {
  if (depth > DEEPEST_NESTING) refuse('value', `nested ${DEEPEST_NESTING} levels deep or less`, value);
  if (typeof value === 'bigint') writeInteger(out, value);
  else if (value instanceof Uint8Array) writeBytes(out, value);
  else if (Array.isArray(value)) writeArray(out, value, isDefinite, depth);
  else if (typeof value === 'object' && value !== null) writeConstr(out, value as PlutusConstr, isDefinite, depth);
  else refuse('value', 'a bigint, a Uint8Array, an array or { constr, fields }', value);
}

function writeConstr(out: number[], { constr, fields }: PlutusConstr, isDefinite: boolean, depth: number): void {
  if (!Number.isSafeInteger(constr) || constr < 0) refuse('constr', 'a whole number, 0 or more', constr);
  if (!Array.isArray(fields)) refuse('fields', 'a list', fields);
  const tag = tagOfConstr(constr);
  writeHead(out, Major.tag, BigInt(tag));
  if (tag === GENERAL_CONSTR_TAG) {
    writeHead(out, Major.array, 2n);
    writeHead(out, Major.unsigned, BigInt(constr));
  }
  writeArray(out, fields, isDefinite, depth);
}

function writeArray(out: number[], items: readonly PlutusData[], isDefinite: boolean, depth: number): void {
  const hasLength = isDefinite || items.length === 0;
  if (hasLength) writeHead(out, Major.array, BigInt(items.length));
  else out.push((Major.array << 5) | INDEFINITE);
  for (const item of items) writeData(out, item, isDefinite, depth + 1);
  if (!hasLength) out.push(BREAK);
}

function writeInteger(out: number[], value: bigint): void {
  const isNegative = value < 0n;
  const magnitude = isNegative ? -1n - value : value;
  if (magnitude < TWO_64) {
    writeHead(out, isNegative ? Major.negative : Major.unsigned, magnitude);
    return;
  }
  writeHead(out, Major.tag, BigInt(isNegative ? BIG_NEGATIVE_TAG : BIG_POSITIVE_TAG));
  const hex = magnitude.toString(16);
  writeBytes(out, fromHex(hex.length % 2 === 0 ? hex : `0${hex}`));
}

function writeBytes(out: number[], bytes: Uint8Array): void {
  if (bytes.length <= CHUNK_BYTES) {
    writePiece(out, bytes);
    return;
  }
  out.push((Major.bytes << 5) | INDEFINITE);
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES) writePiece(out, bytes.subarray(at, at + CHUNK_BYTES));
  out.push(BREAK);
}

function writePiece(out: number[], bytes: Uint8Array): void {
  writeHead(out, Major.bytes, BigInt(bytes.length));
  for (let at = 0; at < bytes.length; at++) out.push(bytes[at] as number);
}

function writeHead(out: number[], major: number, value: bigint): void {
  const type = major << 5;
  if (value < 24n) {
    out.push(type | Number(value));
    return;
  }
  const sizeCode = value < 0x100n ? 0 : value < 0x1_0000n ? 1 : value < 0x1_0000_0000n ? 2 : 3;
  out.push(type | (24 + sizeCode));
  for (let shift = 8 * (2 ** sizeCode - 1); shift >= 0; shift -= 8) out.push(Number((value >> BigInt(shift)) & 0xffn));
}
