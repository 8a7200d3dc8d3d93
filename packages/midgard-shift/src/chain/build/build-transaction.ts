import { encodeSpendRedeemer, type SpendRedeemer } from '../../codec/redeemer-codec.js';
import type { Plan, PossiblePlan } from '../../plan/plan-transaction.js';
import { refuse } from '../../state/midgard-input-error.js';
import type { PubKeyHash } from '../../state/pub-key-hash.js';
import type { Validity } from '../../state/transaction.js';
import { checkChain } from '../contracts.js';
import { slotFrom, timeToSlot } from '../network.js';
import type { ChainUtxo } from '../provider/chain-provider.js';
import { schedulerUtxo } from '../view/read-state.js';
import type { BuildOptions } from './build-options.js';
import { checkProtocol } from './chain-protocol.js';
import { addressOf, type LedgerLibrary, loadLedgerLibrary } from './ledger-types.js';
import { checkUtxo, indexIn, nameOf, referencedElements, sortedOutputs } from './references.js';
import { byUse } from './select-coins.js';
import { payFor, settleFee, signersFor } from './settle-fee.js';
import { type Draft, schedulerOutput } from './write-transaction.js';

/** A transaction without signatures. */
export interface BuiltTransaction {
  readonly cbor: Uint8Array;
  /** The required signers: the plan's signer and the keys of the wallet outputs in use, ascending. */
  readonly requiredSigners: PubKeyHash[];
  readonly redeemer: SpendRedeemer;
  readonly fee: bigint;
}

/**
 * The Cardano transaction of a plan. `from` becomes the first slot at or after it, `to` the slot that contains it. Inputs and reference
 * inputs are sorted as the ledger does, and the redeemer's indices count them. Does not run the script: `executionUnits` are those that you
 * pass. Throws `MidgardInputError` for a plan that is not possible or outputs that do not fit it, `WalletTooPoorError` when the wallet
 * cannot pay.
 */
export async function buildTransaction(plan: Plan, options: BuildOptions): Promise<BuiltTransaction> {
  checkChain(options.contracts, options.parameters, options.network);
  checkProtocol(options.protocol, options.executionUnits);
  if (plan?.possible !== true) return refuse('plan', 'a possible plan', plan?.reason ?? plan);
  const csl = await loadLedgerLibrary();
  const frame = frameOf(csl, plan, options);
  const { cbor, draft, fee } = settleFee(csl, options, (given) => draftFor(csl, frame, options, given));
  return {
    cbor,
    requiredSigners: draft.requiredSigners,
    redeemer: redeemerOf(frame, draft.inputs, options.scheduler),
    fee,
  };
}

/** All that does not depend on the fee. */
interface Frame {
  readonly plan: PossiblePlan;
  readonly references: readonly ChainUtxo[];
  /** The plan's elements: the active node, for a rewind the root and the registrant. */
  readonly elements: readonly ChainUtxo[];
  readonly coins: readonly ChainUtxo[];
  readonly validity: { readonly from: number | null; readonly to: number | null };
}

function frameOf(csl: LedgerLibrary, plan: PossiblePlan, options: BuildOptions): Frame {
  const { contracts, scheduler, scripts, wallet, network, changeAddress } = options;
  checkUtxo('scheduler', scheduler);
  for (const utxo of options.elements) checkUtxo('elements', utxo);
  for (const utxo of scripts) checkUtxo('scripts', utxo);
  for (const utxo of wallet) checkUtxo('wallet', utxo);
  if (schedulerUtxo(contracts, [scheduler]) === null)
    refuse('scheduler', 'the output with the scheduler NFT', nameOf(scheduler));
  addressOf(csl, 'changeAddress', changeAddress);
  const elements = referencedElements(plan, contracts, options.elements);
  const references = sortedOutputs([...elements, ...scripts]);
  const taken = new Set([scheduler, ...references].map(nameOf));
  // Spending a reference script would destroy it and cost its size.
  const coins = wallet.filter((utxo) => !taken.has(nameOf(utxo)) && utxo.scriptRef === undefined).sort(byUse);
  const validity = slotsOf(plan.validity, network);
  return { plan, references, elements, coins, validity };
}

/** A window in slots; refuses one without a whole slot. */
export function slotsOf({ from, to }: Validity, network: BuildOptions['network']): Frame['validity'] {
  const validity = {
    from: from === null ? null : slotFrom(network, from),
    to: to === null ? null : timeToSlot(network, to),
  };
  if (validity.from !== null && validity.to !== null && validity.from >= validity.to)
    refuse('plan.validity', 'a window with a whole slot in it', `[${from}, ${to})`);
  return validity;
}

function draftFor(csl: LedgerLibrary, frame: Frame, options: BuildOptions, fee: bigint): Draft {
  const { plan, coins, references, validity } = frame;
  const { scheduler } = options;
  const output = schedulerOutput(csl, plan, options);
  const paid = payFor(csl, { inputs: [scheduler], kept: output }, coins, fee, options);
  const scriptSigners = plan.requiredSigner === null ? [] : [plan.requiredSigner];
  const data = encodeSpendRedeemer(redeemerOf(frame, paid.inputs, scheduler), { edition: '2026-05' });
  return {
    inputs: paid.inputs,
    references,
    outputs: [output.output, ...paid.change],
    collateral: paid.collateral,
    collateralNeeded: paid.collateralNeeded,
    fee,
    validity,
    scriptSigners,
    requiredSigners: signersFor(csl, scriptSigners, paid.payers),
    calls: [{ kind: 'spend', index: indexIn(paid.inputs, scheduler), data }],
    mint: {},
  };
}

function redeemerOf(
  { plan, references, elements }: Frame,
  inputs: readonly ChainUtxo[],
  scheduler: ChainUtxo,
): SpendRedeemer {
  const [node, root, registrant] = elements.map((element) => indexIn(references, element)) as [number, number, number];
  const advance = { inputIndex: indexIn(inputs, scheduler), outputIndex: 0, activeNodeIndex: node };
  if (plan.redeemer === 'advance') return { type: 'advance', ...advance };
  return { type: 'rewind', ...advance, activeRootIndex: root, registeredNodeIndex: registrant };
}
