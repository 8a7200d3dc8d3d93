import type { PossiblePlan } from '../../plan/plan-transaction.js';
import { checkedInteger, refuse } from '../../state/midgard-input-error.js';
import type { ReferenceInput } from '../../state/transaction.js';
import type { Contracts } from '../contracts.js';
import type { ChainUtxo } from '../provider/chain-provider.js';
import { elementsOf } from '../view/element-list.js';
import { registrantFrom } from '../view/read-state.js';

/** An output by its name on the chain. */
export const nameOf = ({ txHash, index }: ChainUtxo): string => `${txHash}#${index}`;

/** Refuses what a ledger library would refuse with a poorer message. */
export function checkUtxo(field: string, utxo: ChainUtxo): void {
  if (typeof utxo !== 'object' || utxo === null) refuse(field, 'an unspent output', utxo);
  if (!/^[0-9a-f]{64}$/.test(String(utxo.txHash))) refuse(`${field}.txHash`, '64 lower case hex digits', utxo.txHash);
  checkedInteger(`${field}.index`, utxo.index, 0);
  if (typeof utxo.lovelace !== 'bigint' || utxo.lovelace < 0n)
    refuse(`${field}.lovelace`, 'a bigint, 0n or more', utxo.lovelace);
  for (const [unit, quantity] of Object.entries(utxo.assets ?? {})) {
    if (!/^[0-9a-f]{56}([0-9a-f]{2}){0,32}$/.test(unit))
      refuse(`${field}.assets`, 'named by policy and name in hex', unit);
    if (typeof quantity !== 'bigint') refuse(`${field}.assets.${unit}`, 'a bigint', quantity);
  }
}

/** The ledger's order of inputs: by the bytes of the hash, then by the index. */
export function sortedOutputs(utxos: readonly ChainUtxo[]): ChainUtxo[] {
  const unique = new Map(utxos.map((utxo) => [nameOf(utxo), utxo]));
  return [...unique.values()].sort((left, right) =>
    left.txHash === right.txHash ? left.index - right.index : left.txHash < right.txHash ? -1 : 1,
  );
}

/** Where `utxo` stands among sorted outputs. */
export function indexIn(sorted: readonly ChainUtxo[], utxo: ChainUtxo): number {
  return sorted.findIndex((each) => nameOf(each) === nameOf(utxo));
}

/** The outputs that a plan's reference inputs point at, in the order of the plan. */
export function referencedElements(
  plan: PossiblePlan,
  contracts: Contracts,
  elements: readonly ChainUtxo[],
): readonly ChainUtxo[] {
  return plan.referenceInputs.map((input) => {
    const found = elementsOf(input.list, contracts[input.list], elements.filter(heldBy(contracts, input))).find(
      (element) =>
        (element.key === null || input.list === 'active' ? element.key : registrantFrom(element).operator) ===
        input.key,
    );
    if (found !== undefined) return found.utxo;
    const wanted = `the output of ${input.key ?? 'the root'} in the ${input.list} list`;
    return refuse('elements', `a list with ${wanted}`, elements);
  });
}

/** Elements may be those of all contracts together; the policy of a list identifies its elements. */
function heldBy(contracts: Contracts, { list }: ReferenceInput): (utxo: ChainUtxo) => boolean {
  return ({ assets }) => Object.keys(assets).some((unit) => unit.startsWith(contracts[list].policyId));
}
