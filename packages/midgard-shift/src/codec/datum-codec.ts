import { decodeWhole, readConstr, readKey, readNumber } from '../cbor/datum-reader.js';
import { encodePlutusData } from '../cbor/encode-plutus-data.js';
import type { DecodeOptions, EncodeOptions } from '../cbor/plutus-data.js';
import { checkedEdition } from '../state/edition.js';
import { fromHex } from '../state/hex.js';
import { checkDatum, type SchedulerDatum } from '../state/midgard-state.js';

/** The datum of the scheduler's utxo, the same in both editions: constructor 0 with the key hash and the start of the shift. */
export function encodeSchedulerDatum(datum: SchedulerDatum, options: EncodeOptions = {}): Uint8Array {
  checkedEdition('options.edition', options.edition);
  checkDatum('datum', datum);
  return encodePlutusData({ constr: 0, fields: [fromHex(datum.operator), BigInt(datum.shiftStart)] }, options);
}

/** The scheduler's datum in `bytes`. Throws `PlutusDecodeError` with the offset for anything else. */
export function decodeSchedulerDatum(bytes: Uint8Array, options: DecodeOptions = {}): SchedulerDatum {
  checkedEdition('options.edition', options.edition);
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
