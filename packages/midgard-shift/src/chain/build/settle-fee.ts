import { refuse } from '../../state/midgard-input-error.js';
import type { PubKeyHash } from '../../state/pub-key-hash.js';
import type { ChainUtxo } from '../provider/chain-provider.js';
import { ceilShare } from './chain-protocol.js';
import { feeOf, signatureBytes } from './fee.js';
import { type LedgerLibrary, paymentKeyOf } from './ledger-types.js';
import { sortedOutputs } from './references.js';
import { lovelaceIn, selectCoins } from './select-coins.js';
import { changeOutput, type Draft, unsignedTransaction, type WriteOptions } from './write-transaction.js';

/** The fee depends on the size and the size on the fee: it is settled after a few rounds. */
const MAX_ROUNDS = 20;

/** The draft whose fee is enough for itself, and its bytes. */
export function settleFee(
  csl: LedgerLibrary,
  options: WriteOptions,
  draftFor: (fee: bigint) => Draft,
): { readonly cbor: Uint8Array; readonly draft: Draft; readonly fee: bigint } {
  const { protocol } = options;
  let fee = 0n;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const draft = draftFor(fee);
    const cbor = unsignedTransaction(csl, draft, options);
    const size = cbor.length + signatureBytes(draft.requiredSigners.length);
    const units = unitsOf(draft, options);
    const least = feeOf(size, units, [...draft.inputs, ...draft.references], protocol);
    if (least <= fee) {
      if (size > protocol.maxTxSize)
        refuse('plan', `a transaction of ${protocol.maxTxSize} bytes or less`, `${size} bytes`);
      return { cbor, draft, fee };
    }
    fee = least;
  }
  throw new Error('the fee of a transaction does not settle');
}

/** The execution units of all script calls together; refuses more than a transaction may use. */
function unitsOf({ calls }: Draft, { executionUnits, protocol }: WriteOptions): WriteOptions['executionUnits'] {
  const [memory, steps] = [executionUnits.memory * calls.length, executionUnits.steps * calls.length];
  if (memory > protocol.maxTxMemory || steps > protocol.maxTxSteps) {
    const most = `at most ${protocol.maxTxMemory} memory and ${protocol.maxTxSteps} steps for ${calls.length} calls together`;
    refuse('executionUnits', most, `${memory} memory and ${steps} steps`);
  }
  return { memory, steps };
}

/** The inputs and outputs of the scripts' side of a transaction; tokens that are minted are in neither. */
export interface ScriptSide {
  readonly inputs: readonly ChainUtxo[];
  readonly kept: { readonly lovelace: bigint; readonly assets: ChainUtxo['assets'] };
}

/** The wallet's side: coins for fee, outputs and collateral, and the change. */
export function payFor(
  csl: LedgerLibrary,
  { inputs, kept }: ScriptSide,
  coins: readonly ChainUtxo[],
  fee: bigint,
  options: WriteOptions,
) {
  const { protocol } = options;
  let spent = selectCoins(coins, fee + kept.lovelace - lovelaceIn(inputs), 'fee and scheduler output');
  let change = changeOutput(csl, [...inputs, ...spent], kept, fee, options);
  if (change.missing > 0n) {
    spent = selectCoins(coins, lovelaceIn(spent) + change.missing, 'fee and change');
    change = changeOutput(csl, [...inputs, ...spent], kept, fee, options);
    // Another output may bring tokens, which the change then has to carry.
    if (change.missing > 0n) selectCoins([], change.missing, 'change with tokens');
  }
  const collateralNeeded = ceilShare(fee, BigInt(protocol.collateralPercentage), 100n);
  const collateral = selectCoins(coins, collateralNeeded, 'collateral', protocol.maxCollateralInputs);
  return {
    inputs: sortedOutputs([...inputs, ...spent]),
    change: change.output === null ? [] : [change.output],
    collateral: sortedOutputs(collateral),
    collateralNeeded,
    payers: [...spent, ...collateral],
  };
}

/** All required signers, ascending: those that the scripts check, and the keys of the wallet outputs in use. */
export function signersFor(
  csl: LedgerLibrary,
  scriptSigners: readonly PubKeyHash[],
  payers: readonly ChainUtxo[],
): PubKeyHash[] {
  const keys = payers.map(
    ({ address }) =>
      paymentKeyOf(csl, 'wallet.address', address) ?? refuse('wallet.address', 'an address of a key', address),
  );
  return [...new Set([...scriptSigners, ...keys])].sort();
}
