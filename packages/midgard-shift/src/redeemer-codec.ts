import { decodeWhole, readConstr, readNumber } from './datum-reader.js';
import { encodePlutusData } from './encode-plutus-data.js';
import { checkedInteger, refuse } from './midgard-input-error.js';
import type { EncodeOptions } from './plutus-data.js';

/** The redeemer of the minting policy. */
export type MintRedeemer = 'init' | 'deinit';

/** The redeemer of the spending validator; the numbers are positions among the outputs and the reference inputs. */
export type SpendRedeemer =
  | { readonly type: 'advance'; readonly outputIndex: number; readonly activeNodeIndex: number }
  | {
      readonly type: 'rewind';
      readonly outputIndex: number;
      readonly activeNodeIndex: number;
      readonly activeRootIndex: number;
      readonly registeredNodeIndex: number;
    };

/** Init is constructor 0, Deinit constructor 1, both without fields. */
export function encodeMintRedeemer(redeemer: MintRedeemer, options?: EncodeOptions): Uint8Array {
  if (redeemer !== 'init' && redeemer !== 'deinit') refuse('redeemer', "'init' or 'deinit'", redeemer);
  return encodePlutusData({ constr: redeemer === 'init' ? 0 : 1, fields: [] }, options);
}

/** The minting redeemer in `bytes`. Throws `PlutusDecodeError` with the offset for anything else. */
export function decodeMintRedeemer(bytes: Uint8Array): MintRedeemer {
  return decodeWhole(bytes, (reader) =>
    readConstr<MintRedeemer>(reader, [
      { arity: 0, read: () => 'init' },
      { arity: 0, read: () => 'deinit' },
    ]),
  );
}

const ADVANCE_FIELDS = ['outputIndex', 'activeNodeIndex'] as const;
const REWIND_FIELDS = [...ADVANCE_FIELDS, 'activeRootIndex', 'registeredNodeIndex'] as const;

/** Advance is constructor 0 with two indices, Rewind constructor 1 with four, in the order of the type. */
export function encodeSpendRedeemer(redeemer: SpendRedeemer, options?: EncodeOptions): Uint8Array {
  if (redeemer?.type !== 'advance' && redeemer?.type !== 'rewind')
    refuse('redeemer.type', "'advance' or 'rewind'", (redeemer as SpendRedeemer | undefined)?.type);
  const names = redeemer.type === 'advance' ? ADVANCE_FIELDS : REWIND_FIELDS;
  const fields = names.map((name) => {
    const index = (redeemer as Extract<SpendRedeemer, { type: 'rewind' }>)[name];
    return BigInt(checkedInteger(`redeemer.${name}`, index, 0));
  });
  return encodePlutusData({ constr: redeemer.type === 'advance' ? 0 : 1, fields }, options);
}

/** The spending redeemer in `bytes`. Throws `PlutusDecodeError` with the offset for anything else. */
export function decodeSpendRedeemer(bytes: Uint8Array): SpendRedeemer {
  const index = readNumber(0);
  return decodeWhole(bytes, (reader) =>
    readConstr<SpendRedeemer>(reader, [
      {
        arity: 2,
        read: (field) => Object.freeze({ type: 'advance', outputIndex: field(index), activeNodeIndex: field(index) }),
      },
      {
        arity: 4,
        read: (field) =>
          Object.freeze({
            type: 'rewind',
            outputIndex: field(index),
            activeNodeIndex: field(index),
            activeRootIndex: field(index),
            registeredNodeIndex: field(index),
          }),
      },
    ]),
  );
}
