import type { Edition } from '../state/edition.js';

/** Plutus Data without maps, which none of the scheduler's datums and redeemers have. */
export type PlutusData = bigint | Uint8Array | readonly PlutusData[] | PlutusConstr;

/** A constructor by its number, with its fields. */
export interface PlutusConstr {
  readonly constr: number;
  readonly fields: readonly PlutusData[];
}

/** How a value is written. */
export interface EncodeOptions extends DecodeOptions {
  /** How arrays that are not empty are written: as the ledger does, or with their length in front. Default `indefinite`. */
  readonly arrays?: 'indefinite' | 'definite';
}

/** Which edition's datums and redeemers the bytes hold. */
export interface DecodeOptions {
  /** Default `2025`. */
  readonly edition?: Edition;
}

/** The deepest nesting that is written or read; a limit of this package, so that no input can exhaust the stack. */
export const DEEPEST_NESTING = 1_024;

/** The longest byte string in one piece. */
export const CHUNK_BYTES = 64;

/** CBOR's major types. */
export const Major = { unsigned: 0, negative: 1, bytes: 2, text: 3, array: 4, map: 5, tag: 6, simple: 7 } as const;

/** Ends an array or a byte string without a length. */
export const BREAK = 0xff;

/** Tags of integers that do not fit 64 bits, and of constructors with numbers from 128 on. */
export const BIG_POSITIVE_TAG = 2;
export const BIG_NEGATIVE_TAG = 3;
export const GENERAL_CONSTR_TAG = 102;

/** The tag of constructor `number`: 0 to 6 and 7 to 127 have one of their own. */
export function tagOfConstr(number: number): number {
  if (number < 7) return 121 + number;
  return number < 128 ? 1_280 + number - 7 : GENERAL_CONSTR_TAG;
}

/** The constructor that `tag` alone stands for; null for any other tag. */
export function constrOfTag(tag: number | bigint): number | null {
  if (typeof tag === 'bigint') return null;
  if (tag >= 121 && tag <= 127) return tag - 121;
  return tag >= 1_280 && tag <= 1_400 ? tag - 1_280 + 7 : null;
}
