import { HoraeError } from '@horae/clock-store';
import type { ChainView } from '../../ledger/chain-view.js';
import type { LifecycleRequest } from '../../rules/lifecycle-rules.js';
import type { MidgardState } from '../../state/midgard-state.js';
import type { ProtocolParameters } from '../../state/protocol-parameters.js';
import type { Transaction } from '../../state/transaction.js';
import type { Verdict } from '../../state/violation.js';
import { activate } from '../../verdict/lifecycle.js';
import { validateTransaction } from '../../verdict/validate-transaction.js';
import { type Contracts, checkChain } from '../contracts.js';
import type { Network } from '../network.js';
import type { ChainProvider, ChainUtxo } from '../provider/chain-provider.js';
import { ChainProviderError } from '../provider/provider-error.js';
import { type ContractUtxos, stateFrom } from './read-state.js';

/** The tip that a view saw before, and the earlier one that it sees now. */
export interface Rollback {
  readonly fromSlot: number;
  readonly toSlot: number;
}

/** Options of `createChainView`. */
export interface ChainViewOptions {
  /** Reads the chain and submits transactions. */
  readonly provider: ChainProvider;
  /** Their edition is `2026-05`. */
  readonly parameters: ProtocolParameters;
  /** The network whose slots and addresses are used. */
  readonly network: Network;
  /** The addresses and policies of the protocol's contracts. */
  readonly contracts: Contracts;
  /** Makes the signed transaction: `buildTransaction`, then the keys. `utxos` are the outputs that the state was read from. */
  complete(tx: Transaction, utxos: readonly ChainUtxo[]): Promise<Uint8Array>;
  /** Makes the signed transaction of an activation, `buildActivation`, then the keys. With it the view has `activate`. */
  completeActivation?(request: LifecycleRequest, utxos: readonly ChainUtxo[]): Promise<Uint8Array>;
  /** Called when the tip is behind one that was seen before. If it throws, the call that noticed the rollback rejects. */
  onRollback?(rollback: Rollback): void;
  /** How often the state is read again when the chain moved meanwhile. Default 3. */
  readonly retries?: number;
}

interface Reading {
  readonly state: MidgardState;
  readonly utxos: readonly ChainUtxo[];
}

/**
 * A chain view over a real chain of edition `2026-05`. The state is what the tokens show between two readings of the same tip. A
 * transaction is judged by the rules first, and submitted only when it breaks none; a refusal by the node is the violation
 * `accepted-by-node`. A failure of the provider rejects with `ChainProviderError`, after which the fate of a submission may be unknown.
 */
export function createChainView(options: ChainViewOptions): ChainView {
  const { provider, parameters, contracts, onRollback, retries = 3 } = options;
  checkChain(contracts, parameters, options.network);
  let lastSlot = -Infinity;

  async function readTip() {
    const tip = await provider.tip();
    const fromSlot = lastSlot;
    // Before the call, so that a listener that throws is not called for the same rollback for ever.
    lastSlot = tip.slot;
    if (tip.slot < fromSlot) onRollback?.({ fromSlot, toSlot: tip.slot });
    return tip;
  }

  async function read(): Promise<Reading> {
    let before = await readTip();
    for (let tries = 0; tries <= retries; tries++) {
      const utxos = await contractUtxos(provider, contracts);
      const after = await readTip();
      if (after.hash === before.hash && after.slot === before.slot)
        return { state: stateFrom(contracts, utxos), utxos: Object.values(utxos).flat() };
      before = after;
    }
    const message = `the tip moved during each of ${retries + 1} readings`;
    throw new ChainProviderError('provider-moving', message, { provider: 'chain view' });
  }

  async function handIn(cbor: Uint8Array): Promise<Verdict> {
    try {
      await provider.submit(cbor);
      return { accepted: true };
    } catch (error) {
      if (isRefusedByNode(error)) return refusedByNode(error.message);
      throw error;
    }
  }

  const view: ChainView = {
    state: async () => (await read()).state,
    async submit(tx) {
      const { state, utxos } = await read();
      const verdict = validateTransaction(state, tx, parameters);
      return verdict.accepted ? handIn(await options.complete(tx, utxos)) : verdict;
    },
  };
  if (options.completeActivation === undefined) return view;
  return {
    ...view,
    async activate(request) {
      const { state, utxos } = await read();
      const verdict = activate(state, request, parameters);
      return verdict.accepted ? handIn(await options.completeActivation!(request, utxos)) : verdict;
    },
  };
}

async function contractUtxos(provider: ChainProvider, contracts: Contracts): Promise<ContractUtxos> {
  // Contracts may share an address; each address is read once.
  const byAddress = new Map<string, ChainUtxo[]>();
  for (const { address } of Object.values(contracts))
    if (!byAddress.has(address)) byAddress.set(address, await provider.utxosAt(address));
  const at = (name: keyof Contracts) => byAddress.get(contracts[name].address) as ChainUtxo[];
  return {
    hubOracle: at('hubOracle'),
    scheduler: at('scheduler'),
    active: at('active'),
    registered: at('registered'),
    retired: at('retired'),
  };
}

/** A refusal without a status comes from the node itself; with 400 or 422 the service passes on the node's answer. */
function isRefusedByNode(error: unknown): error is HoraeError {
  if (!(error instanceof HoraeError) || error.code !== 'provider-refused') return false;
  const { status } = error.details as { status?: number };
  return status === undefined || status === 400 || status === 422;
}

function refusedByNode(found: string): Verdict {
  return {
    accepted: false,
    violations: [{ rule: 'accepted-by-node', expected: 'a transaction that the node accepts', found }],
  };
}
