import { CborReader } from '../../cbor/cbor-reader.js';
import { encodePlutusData } from '../../cbor/encode-plutus-data.js';
import { fromHex, toHex } from '../../state/hex.js';

/** A script's language as Blockfrost, Koios and Kupo call it, and its number on the chain. */
const languages: Readonly<Record<string, number>> = {
  timelock: 0,
  native: 0,
  multisig: 0,
  plutusV1: 1,
  'plutus:v1': 1,
  plutusV2: 2,
  'plutus:v2': 2,
  plutusV3: 3,
  'plutus:v3': 3,
};

/** The hex of `[language, bytes]`; undefined for an unknown language. Services wrap Plutus scripts once or twice: both are read. */
export function scriptRefOf(language: string, script: string): string | undefined {
  const number = languages[language];
  if (number === undefined) return undefined;
  // A native script is a structure of its own, not bytes.
  if (number === 0) return `8200${script}`;
  const inner = unwrapped(fromHex(script));
  return `820${number}${toHex(byteString(unwrapped(inner) === null || inner === null ? fromHex(script) : inner))}`;
}

/** The content of the byte string that fills all of `bytes`; null for anything else. */
function unwrapped(bytes: Uint8Array | null): Uint8Array | null {
  if (bytes === null) return null;
  try {
    const reader = new CborReader(bytes);
    const inner = reader.bytes();
    reader.end();
    return inner;
  } catch {
    return null;
  }
}

/** A byte string with its length, however long: scripts are not Plutus Data, which is cut into chunks. */
function byteString(bytes: Uint8Array): Uint8Array {
  const { length } = bytes;
  if (length <= 64) return encodePlutusData(bytes);
  const head = length < 0x100 ? [0x58, length] : length < 0x1_0000 ? [0x59, length >> 8, length & 255] : null;
  if (head === null) throw new RangeError('a script of 64 KiB or more fits no transaction');
  return Uint8Array.from([...head, ...bytes]);
}
