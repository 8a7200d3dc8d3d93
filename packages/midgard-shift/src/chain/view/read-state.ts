import type { PlutusConstr } from '../../cbor/plutus-data.js';
import { decodeSchedulerDatum } from '../../codec/datum-codec.js';
import { assetName, timeKey } from '../../editions/2026-05/asset-name.js';
import { toHex } from '../../state/hex.js';
import {
  checkState,
  frozenState,
  type MidgardState,
  type RegisteredNode,
  type SchedulerDatum,
} from '../../state/midgard-state.js';
import type { Contracts } from '../contracts.js';
import type { ChainUtxo } from '../provider/chain-provider.js';
import { broken, elementsOf, type ListElement, linkedNodes, tokensOf } from './element-list.js';

/** The outputs at the addresses of the contracts. */
export type ContractUtxos = Readonly<Record<keyof Contracts, readonly ChainUtxo[]>>;

/** The state that outputs show by their tokens. Throws `provider-answer` when a list is broken. */
export function stateFrom(contracts: Contracts, utxos: ContractUtxos): MidgardState {
  const keys = (list: 'active' | 'retired') =>
    linkedNodes(list, elementsOf(list, contracts[list], utxos[list])).map(({ key }) => key as string);
  const registered = linkedNodes('registered', elementsOf('registered', contracts.registered, utxos.registered));
  const state: MidgardState = {
    scheduler: schedulerFrom(contracts, utxos.scheduler),
    hubOracle: utxos.hubOracle.some((utxo) => tokensOf(contracts.hubOracle, utxo).length > 0),
    active: keys('active'),
    registered: registered.map(registrantFrom),
    retired: keys('retired'),
  };
  return checked(state);
}

/** The output that holds the scheduler NFT; null before Init. */
export function schedulerUtxo(contracts: Contracts, utxos: readonly ChainUtxo[]): ChainUtxo | null {
  const name = assetName('scheduler');
  const holders = utxos.filter((utxo) => tokensOf(contracts.scheduler, utxo).includes(name));
  if (holders.length > 1) throw broken(`${holders.length} outputs hold the scheduler NFT`);
  return holders[0] ?? null;
}

function schedulerFrom(contracts: Contracts, utxos: readonly ChainUtxo[]): SchedulerDatum | null {
  const utxo = schedulerUtxo(contracts, utxos);
  if (utxo === null) return null;
  if (utxo.datum === null) throw broken('the output with the scheduler NFT has no datum');
  try {
    return decodeSchedulerDatum(utxo.datum);
  } catch (error) {
    throw broken(`the scheduler's datum: ${(error as Error).message}`);
  }
}

/** The data of a registered node is constructor 0 with the operator; its key is the activation time. */
export function registrantFrom({ key, datum }: ListElement): RegisteredNode {
  const { constr, fields } = datum.data as Partial<PlutusConstr>;
  const operator = fields?.[0];
  if (constr !== 0 || fields?.length !== 1 || !(operator instanceof Uint8Array) || operator.length !== 28)
    throw broken(`the registrant ${key} has no operator in its datum`);
  const activationTime = key === '' ? 0 : Number.parseInt(key as string, 16);
  if (!Number.isSafeInteger(activationTime) || timeKey(activationTime) !== key)
    throw broken(`the registrant ${key} has no activation time in its name`);
  return { operator: toHex(operator), activationTime };
}

/** Links lead from key to key, and the scripts keep keys in order: the active list up, the queue down. */
function checked(state: MidgardState): MidgardState {
  const isDescending = state.registered.every(
    ({ activationTime }, at) =>
      at === 0 || (state.registered[at - 1] as RegisteredNode).activationTime > activationTime,
  );
  if (!isDescending) throw broken('the registered list is not in the order of its activation times');
  try {
    checkState(state);
  } catch (error) {
    throw broken((error as Error).message);
  }
  return frozenState(state);
}
