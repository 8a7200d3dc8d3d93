import { decodeWhole, type ReadField, readConstr, readNumber } from '../cbor/datum-reader.js';
import { encodePlutusData } from '../cbor/encode-plutus-data.js';
import type { DecodeOptions, EncodeOptions } from '../cbor/plutus-data.js';
import { editionNamed } from '../editions/edition-of.js';
import type { RedeemerField } from '../editions/edition-rules.js';
import { checkedEdition } from '../state/edition.js';
import { checkedInteger, refuse } from '../state/midgard-input-error.js';

/** The redeemer of the minting policy. */
export type MintRedeemer = 'init' | 'deinit';

/** The redeemer of the spending validator; the numbers are positions among the inputs, the outputs and the reference inputs. */
export type SpendRedeemer =
  | {
      readonly type: 'advance';
      /** Edition `2026-05` only: where the scheduler's utxo stands among the inputs. */
      readonly inputIndex?: number;
      readonly outputIndex: number;
      readonly activeNodeIndex: number;
    }
  | {
      readonly type: 'rewind';
      /** Edition `2026-05` only: where the scheduler's utxo stands among the inputs. */
      readonly inputIndex?: number;
      readonly outputIndex: number;
      readonly activeNodeIndex: number;
      readonly activeRootIndex: number;
      readonly registeredNodeIndex: number;
    };

/** The same in both editions: Init is constructor 0, Deinit constructor 1, both without fields. */
export function encodeMintRedeemer(redeemer: MintRedeemer, options: EncodeOptions = {}): Uint8Array {
  checkedEdition('options.edition', options.edition);
  if (redeemer !== 'init' && redeemer !== 'deinit') refuse('redeemer', "'init' or 'deinit'", redeemer);
  return encodePlutusData({ constr: redeemer === 'init' ? 0 : 1, fields: [] }, options);
}

/** The minting redeemer in `bytes`. Throws `PlutusDecodeError` with the offset for anything else. */
export function decodeMintRedeemer(bytes: Uint8Array, options: DecodeOptions = {}): MintRedeemer {
  checkedEdition('options.edition', options.edition);
  return decodeWhole(bytes, (reader) =>
    readConstr<MintRedeemer>(reader, [
      { arity: 0, read: () => 'init' },
      { arity: 0, read: () => 'deinit' },
    ]),
  );
}

/** Advance is constructor 0, Rewind constructor 1, with indices in the order of the type; edition `2026-05` has `inputIndex` first. */
export function encodeSpendRedeemer(redeemer: SpendRedeemer, options: EncodeOptions = {}): Uint8Array {
  const { edition, redeemerFields } = editionNamed('options.edition', options.edition);
  if (redeemer?.type !== 'advance' && redeemer?.type !== 'rewind')
    refuse('redeemer.type', "'advance' or 'rewind'", (redeemer as SpendRedeemer | undefined)?.type);
  const names = redeemerFields[redeemer.type];
  // Left out it would be lost: the other edition's script reads the first index as another one.
  if (redeemer.inputIndex !== undefined && !names.includes('inputIndex'))
    refuse('redeemer.inputIndex', `left out in edition '${edition}'`, redeemer.inputIndex);
  const indices = redeemer as Partial<Record<RedeemerField, number>>;
  const fields = names.map((name) => BigInt(checkedInteger(`redeemer.${name}`, indices[name] as number, 0)));
  return encodePlutusData({ constr: redeemer.type === 'advance' ? 0 : 1, fields }, options);
}

/** The spending redeemer in `bytes`. Throws `PlutusDecodeError` with the offset for anything else. */
export function decodeSpendRedeemer(bytes: Uint8Array, options: DecodeOptions = {}): SpendRedeemer {
  const { redeemerFields } = editionNamed('options.edition', options.edition);
  const index = readNumber(0);
  const alternatives = (['advance', 'rewind'] as const).map((type) => ({
    arity: redeemerFields[type].length,
    read(field: ReadField) {
      const indices = redeemerFields[type].map((name) => [name, field(index)]);
      return Object.freeze({ type, ...Object.fromEntries(indices) }) as SpendRedeemer;
    },
  }));
  return decodeWhole(bytes, (reader) => readConstr<SpendRedeemer>(reader, alternatives));
}
