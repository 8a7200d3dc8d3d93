import type { PossiblePlan } from '../../plan/plan-transaction.js';
import type { LifecycleRequest } from '../../rules/lifecycle-rules.js';
import { refuse } from '../../state/midgard-input-error.js';
import type { PubKeyHash } from '../../state/pub-key-hash.js';
import type { Transaction } from '../../state/transaction.js';
import type { ChainProvider, ChainUtxo } from '../provider/chain-provider.js';
import { ChainProviderError } from '../provider/provider-error.js';
import { schedulerUtxo } from '../view/read-state.js';
import { type ActivationOptions, buildActivation } from './build-activation.js';
import type { BuildOptions } from './build-options.js';
import { buildTransaction } from './build-transaction.js';
import { signersOf, signTransaction } from './sign-transaction.js';

/** Options of `createCompleter`. */
export interface CompleterOptions
  extends Pick<BuildOptions, 'contracts' | 'parameters' | 'network' | 'protocol' | 'executionUnits'> {
  /** Where the outputs of the wallet and of the scripts are read. */
  readonly provider: ChainProvider;
  /** Pays fees and collateral, and receives the change. */
  readonly walletAddress: string;
  /** Where the outputs with the reference scripts lie. */
  readonly scriptAddress: string;
  /** Private keys in hex of all required signers, as `signTransaction` takes them. */
  readonly privateKeys: readonly string[];
}

/** The `complete` of a chain view whose keys lie on this machine: builds the transaction from the outputs and the wallet, and signs it. */
export function createCompleter(
  options: CompleterOptions,
): (tx: Transaction, utxos: readonly ChainUtxo[]) => Promise<Uint8Array> {
  const { contracts } = options;
  return async (tx, utxos) => {
    const plan = planOf(tx);
    const scheduler = schedulerUtxo(contracts, utxos);
    if (scheduler === null)
      throw new ChainProviderError('provider-answer', 'there is no scheduler', { provider: 'chain view' });
    return signed(await buildTransaction(plan, { ...options, ...(await meansOf(options, utxos)), scheduler }), options);
  };
}

/** The `completeActivation` of such a chain view; `redeemers` and `references` are those of `buildActivation`. */
export function createActivationCompleter(
  options: CompleterOptions & Pick<ActivationOptions, 'redeemers' | 'references'>,
): (request: LifecycleRequest, utxos: readonly ChainUtxo[]) => Promise<Uint8Array> {
  return async (request, utxos) =>
    signed(await buildActivation(request, { ...options, ...(await meansOf(options, utxos)) }), options);
}

/** The parts that a transaction is built from: the contracts' outputs, the reference scripts, and the wallet. */
async function meansOf({ provider, walletAddress, scriptAddress }: CompleterOptions, utxos: readonly ChainUtxo[]) {
  const scripts = (await provider.utxosAt(scriptAddress)).filter(({ scriptRef }) => scriptRef !== undefined);
  const wallet = await provider.utxosAt(walletAddress);
  return { elements: utxos, scripts, wallet, changeAddress: walletAddress };
}

async function signed(
  { cbor, requiredSigners }: { readonly cbor: Uint8Array; readonly requiredSigners: readonly PubKeyHash[] },
  { privateKeys }: CompleterOptions,
): Promise<Uint8Array> {
  await demandKeys(requiredSigners, privateKeys);
  return signTransaction(cbor, privateKeys);
}

/** The node would refuse a transaction without one of its signatures, without naming the missing key. */
async function demandKeys(requiredSigners: readonly PubKeyHash[], privateKeys: readonly string[]): Promise<void> {
  const there = await signersOf(privateKeys);
  const missing = requiredSigners.filter((signer) => !there.includes(signer));
  if (missing.length > 0)
    refuse('privateKeys', `a list with the keys of ${missing.join(', ')}`, `${there.length} keys`);
}

/** The plan that a transition carries out. */
function planOf(transaction: Transaction): PossiblePlan {
  const { redeemer, schedulerOutput, validity, referenceInputs, signatories } = transaction;
  if ((redeemer !== 'advance' && redeemer !== 'rewind') || schedulerOutput === null)
    return refuse('tx.redeemer', "'advance' or 'rewind'; no other transaction can be built", redeemer);
  return {
    possible: true,
    redeemer,
    operator: schedulerOutput.operator,
    requiredSigner: signatories[0] ?? null,
    validity,
    referenceInputs,
    transaction,
  };
}
