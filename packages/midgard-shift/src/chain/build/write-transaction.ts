import type * as Csl from '@emurgo/cardano-serialization-lib-nodejs';
import { encodeSchedulerDatum } from '../../codec/datum-codec.js';
import type { PossiblePlan } from '../../plan/plan-transaction.js';
import { fromHex } from '../../state/hex.js';
import type { PubKeyHash } from '../../state/pub-key-hash.js';
import type { ChainUtxo } from '../provider/chain-provider.js';
import type { BuildOptions } from './build-options.js';
import { addressOf, amount, inputsOf, type LedgerLibrary, leastLovelace, valueWith } from './ledger-types.js';
import { lovelaceIn, selectCoins, tokensIn } from './select-coins.js';

/** All that a transaction is written from. */
export interface Draft {
  /** Sorted, like the references and the collateral. */
  readonly inputs: readonly ChainUtxo[];
  readonly references: readonly ChainUtxo[];
  readonly outputs: readonly Csl.TransactionOutput[];
  readonly collateral: readonly ChainUtxo[];
  readonly collateralNeeded: bigint;
  readonly fee: bigint;
  /** In slots. */
  readonly validity: { readonly from: number | null; readonly to: number | null };
  /** The signers that the scripts check. */
  readonly scriptSigners: readonly PubKeyHash[];
  readonly requiredSigners: PubKeyHash[];
  readonly calls: readonly ScriptCall[];
  /** Tokens that are minted, or burnt where the quantity is negative. */
  readonly mint: Readonly<Record<string, bigint>>;
}

/** The call of a script: for the input at `index`, or for the policy at `index` among those that mint. */
export interface ScriptCall {
  readonly kind: 'spend' | 'mint';
  readonly index: number;
  readonly data: Uint8Array;
}

/** The options common to all transactions. */
export type WriteOptions = Pick<BuildOptions, 'changeAddress' | 'protocol' | 'executionUnits'>;

/** The scheduler's output with the new datum: what the old one held, and more lovelace where the new one must have it. */
export function schedulerOutput(
  csl: LedgerLibrary,
  { transaction }: PossiblePlan,
  { scheduler, protocol }: Pick<BuildOptions, 'scheduler' | 'protocol'>,
): { readonly output: Csl.TransactionOutput; readonly lovelace: bigint; readonly assets: ChainUtxo['assets'] } {
  return scriptOutput(csl, { ...scheduler, datum: encodeSchedulerDatum(transaction.schedulerOutput!) }, protocol);
}

/** An output with a datum: what it is to hold, and more lovelace where it must have it. */
export function scriptOutput(
  csl: LedgerLibrary,
  { address, lovelace: given, assets, datum }: Pick<ChainUtxo, 'address' | 'lovelace' | 'assets' | 'datum'>,
  protocol: BuildOptions['protocol'],
): { readonly output: Csl.TransactionOutput; readonly lovelace: bigint; readonly assets: ChainUtxo['assets'] } {
  const outputOf = (lovelace: bigint) => {
    const at = addressOf(csl, 'address', address);
    const output = csl.TransactionOutput.new(at, valueWith(csl, lovelace, assets));
    if (datum !== null) output.set_plutus_data(csl.PlutusData.from_bytes(datum));
    return output;
  };
  const least = leastLovelace(csl, outputOf(given), protocol.coinsPerUtxoByte);
  const lovelace = least > given ? least : given;
  return { output: outputOf(lovelace), lovelace, assets };
}

/** The change for the wallet; `missing` is what it lacks to be an output of its own. Without change there is no output. */
export function changeOutput(
  csl: LedgerLibrary,
  spent: readonly ChainUtxo[],
  kept: { readonly lovelace: bigint; readonly assets: ChainUtxo['assets'] },
  fee: bigint,
  { changeAddress, protocol }: WriteOptions,
): { readonly output: Csl.TransactionOutput | null; readonly missing: bigint } {
  const assets = tokensIn(spent);
  for (const [unit, quantity] of Object.entries(kept.assets)) assets[unit] = (assets[unit] ?? 0n) - quantity;
  const lovelace = lovelaceIn(spent) - kept.lovelace - fee;
  const hasTokens = Object.values(assets).some((quantity) => quantity > 0n);
  if (lovelace === 0n && !hasTokens) return { output: null, missing: 0n };
  const output = outputTo(csl, changeAddress, lovelace, assets);
  const least = leastLovelace(csl, output, protocol.coinsPerUtxoByte);
  return lovelace >= least ? { output, missing: 0n } : { output: null, missing: least - lovelace };
}

function outputTo(csl: LedgerLibrary, address: string, lovelace: bigint, assets: ChainUtxo['assets']) {
  return csl.TransactionOutput.new(addressOf(csl, 'changeAddress', address), valueWith(csl, lovelace, assets));
}

/** The transaction in CBOR: body, redeemer, no signatures. */
export function unsignedTransaction(csl: LedgerLibrary, draft: Draft, options: WriteOptions): Uint8Array {
  const outputs = csl.TransactionOutputs.new();
  for (const output of draft.outputs) outputs.add(output);
  const body = csl.TransactionBody.new_tx_body(inputsOf(csl, draft.inputs), outputs, amount(csl, draft.fee));
  const { from, to } = draft.validity;
  if (from !== null) body.set_validity_start_interval_bignum(amount(csl, from));
  if (to !== null) body.set_ttl(amount(csl, to));
  body.set_reference_inputs(inputsOf(csl, draft.references));
  setCollateral(csl, body, draft, options);
  if (draft.scriptSigners.length > 0) {
    const signers = csl.Ed25519KeyHashes.new();
    for (const signer of draft.scriptSigners) signers.add(csl.Ed25519KeyHash.from_hex(signer));
    body.set_required_signers(signers);
  }
  if (Object.keys(draft.mint).length > 0) body.set_mint(mintOf(csl, draft.mint));
  const redeemers = redeemersOf(csl, draft, options);
  body.set_script_data_hash(csl.hash_script_data(redeemers, costModels(csl, options)));
  const witnesses = csl.TransactionWitnessSet.new();
  witnesses.set_redeemers(redeemers);
  return csl.Transaction.new(body, witnesses).to_bytes();
}

/** The collateral that is lost when the script fails: the percentage of the fee that the protocol demands; the rest is returned. */
function setCollateral(csl: LedgerLibrary, body: Csl.TransactionBody, draft: Draft, options: WriteOptions): void {
  const { collateral, collateralNeeded } = draft;
  body.set_collateral(inputsOf(csl, collateral));
  const total = lovelaceIn(collateral);
  const assets = tokensIn(collateral);
  const rest = outputTo(csl, options.changeAddress, total - collateralNeeded, assets);
  const least = leastLovelace(csl, rest, options.protocol.coinsPerUtxoByte);
  if (total - collateralNeeded >= least) {
    body.set_collateral_return(rest);
    body.set_total_collateral(amount(csl, collateralNeeded));
    return;
  }
  // Tokens cannot be collateral, so without a return they must not be there.
  if (Object.keys(assets).length > 0) selectCoins([], least + collateralNeeded, 'collateral with tokens');
  body.set_total_collateral(amount(csl, total));
}

function redeemersOf(csl: LedgerLibrary, draft: Draft, { executionUnits }: WriteOptions): Csl.Redeemers {
  const redeemers = csl.Redeemers.new();
  for (const { kind, index, data } of draft.calls) {
    const tag = kind === 'spend' ? csl.RedeemerTag.new_spend() : csl.RedeemerTag.new_mint();
    const units = csl.ExUnits.new(amount(csl, executionUnits.memory), amount(csl, executionUnits.steps));
    redeemers.add(csl.Redeemer.new(tag, amount(csl, index), csl.PlutusData.from_bytes(data), units));
  }
  return redeemers;
}

function mintOf(csl: LedgerLibrary, quantities: Draft['mint']): Csl.Mint {
  const mint = csl.Mint.new();
  for (const [unit, quantity] of Object.entries(quantities).sort()) {
    const names = csl.MintAssets.new();
    names.insert(csl.AssetName.new(fromHex(unit.slice(56))), csl.Int.from_str(String(quantity)));
    mint.insert(csl.ScriptHash.from_hex(unit.slice(0, 56)), names);
  }
  return mint;
}

function costModels(csl: LedgerLibrary, { protocol }: WriteOptions): Csl.Costmdls {
  const model = csl.CostModel.new();
  for (const [at, cost] of protocol.costModels.PlutusV3.entries()) model.set(at, csl.Int.from_str(String(cost)));
  const models = csl.Costmdls.new();
  models.insert(csl.Language.new_plutus_v3(), model);
  return models;
}
