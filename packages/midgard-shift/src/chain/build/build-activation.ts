import { encodePlutusData } from '../../cbor/encode-plutus-data.js';
import type { PlutusData } from '../../cbor/plutus-data.js';
import type { LifecycleRequest } from '../../rules/lifecycle-rules.js';
import { refuse } from '../../state/midgard-input-error.js';
import { checkedKey, type PubKeyHash } from '../../state/pub-key-hash.js';
import { checkSignatories, checkValidity } from '../../state/transaction.js';
import { checkChain } from '../contracts.js';
import type { ChainUtxo } from '../provider/chain-provider.js';
import type { BuildOptions } from './build-options.js';
import { slotsOf } from './build-transaction.js';
import { checkProtocol } from './chain-protocol.js';
import { addressOf, type LedgerLibrary, loadLedgerLibrary } from './ledger-types.js';
import { type ActivationPlan, planActivation } from './plan-activation.js';
import { checkUtxo, indexIn, nameOf, sortedOutputs } from './references.js';
import { byUse } from './select-coins.js';
import { payFor, settleFee, signersFor } from './settle-fee.js';
import { type Draft, type ScriptCall, scriptOutput } from './write-transaction.js';

/** The positions of everything in an activation, for redeemers with indices. */
export interface ActivationPlaces {
  readonly operator: PubKeyHash;
  /** Among the sorted inputs. */
  readonly inputs: Readonly<Record<keyof ActivationPlan['spends'], number>>;
  readonly outputs: Readonly<Record<keyof ActivationPlan['makes'], number>>;
  /** The sorted reference inputs. */
  readonly references: readonly ChainUtxo[];
}

/** The redeemers with which the scripts of an activation are called. */
export interface ActivationRedeemers {
  readonly spend: Readonly<Record<keyof ActivationPlan['spends'], PlutusData>>;
  readonly mint: Readonly<Record<'registered' | 'active', PlutusData>>;
}

/** Options of `buildActivation`. */
export interface ActivationOptions extends Omit<BuildOptions, 'scheduler'> {
  /** The redeemers of your deployment's list scripts: no edition of the specification defines their form. */
  redeemers(places: ActivationPlaces): ActivationRedeemers;
  /** Outputs that the list scripts read besides the reference scripts, such as that of the hub oracle. */
  readonly references?: readonly ChainUtxo[];
}

/** A transaction without signatures. */
export interface BuiltActivation {
  readonly cbor: Uint8Array;
  readonly requiredSigners: PubKeyHash[];
  readonly fee: bigint;
}

/**
 * The Cardano transaction that moves a registrant into the active list: links, tokens, datums and the bond as in `planActivation`, window,
 * fee, collateral and order of inputs as in `buildTransaction`. `executionUnits` are those of each of its five script calls. Throws like
 * it.
 */
export async function buildActivation(request: LifecycleRequest, options: ActivationOptions): Promise<BuiltActivation> {
  const { contracts, parameters, network, elements, scripts, wallet, references: more = [] } = options;
  checkChain(contracts, parameters, network);
  checkProtocol(options.protocol, options.executionUnits);
  checkedKey('request.operator', request?.operator);
  checkSignatories('request.signatories', request.signatories);
  checkValidity('request.validity', request.validity);
  if (typeof options.redeemers !== 'function') refuse('redeemers', 'a function', options.redeemers);
  for (const [field, utxos] of Object.entries({ elements, scripts, wallet, references: more }))
    for (const utxo of utxos) checkUtxo(field, utxo);
  const csl = await loadLedgerLibrary();
  addressOf(csl, 'changeAddress', options.changeAddress);
  const frame: Frame = {
    request,
    plan: planActivation(request.operator, contracts, elements),
    references: sortedOutputs([...scripts, ...more]),
    validity: slotsOf(request.validity, network),
  };
  const { cbor, draft, fee } = settleFee(csl, options, (given) => draftFor(csl, frame, options, given));
  return { cbor, requiredSigners: draft.requiredSigners, fee };
}

/** All that does not depend on the fee. */
interface Frame {
  readonly request: LifecycleRequest;
  readonly plan: ActivationPlan;
  readonly references: readonly ChainUtxo[];
  readonly validity: Draft['validity'];
}

function draftFor(csl: LedgerLibrary, frame: Frame, options: ActivationOptions, fee: bigint): Draft {
  const { plan, references, validity, request } = frame;
  const spends = Object.values(plan.spends);
  const taken = new Set([...spends, ...references].map(nameOf));
  const coins = options.wallet.filter((utxo) => !taken.has(nameOf(utxo)) && utxo.scriptRef === undefined).sort(byUse);
  const { registeredAnchor, activeAnchor, activeNode } = plan.makes;
  const made = [registeredAnchor, activeAnchor, activeNode].map((each) => scriptOutput(csl, each, options.protocol));
  const paid = payFor(csl, { inputs: spends, kept: keptIn(made, plan.mint) }, coins, fee, options);
  return {
    inputs: paid.inputs,
    references,
    outputs: [...made.map(({ output }) => output), ...paid.change],
    collateral: paid.collateral,
    collateralNeeded: paid.collateralNeeded,
    fee,
    validity,
    scriptSigners: request.signatories,
    requiredSigners: signersFor(csl, request.signatories, paid.payers),
    calls: callsOf(frame, paid.inputs, options),
    mint: plan.mint,
  };
}

/** The value that goes to the scripts' outputs and is not minted. */
function keptIn(made: readonly { lovelace: bigint; assets: ChainUtxo['assets'] }[], mint: ActivationPlan['mint']) {
  const assets: Record<string, bigint> = {};
  const add = (unit: string, quantity: bigint) => {
    assets[unit] = (assets[unit] ?? 0n) + quantity;
  };
  for (const each of made) for (const [unit, quantity] of Object.entries(each.assets)) add(unit, quantity);
  for (const [unit, quantity] of Object.entries(mint)) add(unit, -quantity);
  return { lovelace: made.reduce((sum, { lovelace }) => sum + lovelace, 0n), assets };
}

function callsOf(
  { plan, references, request }: Frame,
  inputs: readonly ChainUtxo[],
  { redeemers, contracts }: ActivationOptions,
): ScriptCall[] {
  const names = Object.keys(plan.spends) as (keyof ActivationPlan['spends'])[];
  const places = Object.fromEntries(names.map((name) => [name, indexIn(inputs, plan.spends[name])]));
  const { spend, mint } = redeemers({
    operator: request.operator,
    inputs: places as ActivationPlaces['inputs'],
    outputs: { registeredAnchor: 0, activeAnchor: 1, activeNode: 2 },
    references,
  });
  const policies = [contracts.registered.policyId, contracts.active.policyId].sort();
  const dataOf = (field: string, data: PlutusData | undefined) =>
    data === undefined ? refuse(`redeemers.${field}`, 'Plutus Data', data) : encodePlutusData(data);
  return [
    ...names.map((name): ScriptCall => {
      return { kind: 'spend', index: places[name]!, data: dataOf(`spend.${name}`, spend?.[name]) };
    }),
    ...(['registered', 'active'] as const).map((list): ScriptCall => {
      const index = policies.indexOf(contracts[list].policyId);
      return { kind: 'mint', index, data: dataOf(`mint.${list}`, mint?.[list]) };
    }),
  ];
}
