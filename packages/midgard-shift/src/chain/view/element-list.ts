import { assetName, nodePrefix } from '../../editions/2026-05/asset-name.js';
import { decodeElementDatum, type ElementDatum } from '../../editions/2026-05/element-datum.js';
import type { Contract } from '../contracts.js';
import type { ChainUtxo } from '../provider/chain-provider.js';
import { ChainProviderError } from '../provider/provider-error.js';

/** Which list: its tokens have names of their own. */
export type ListName = 'active' | 'registered' | 'retired';

/** An element of a list with the output that holds it; `key: null` is the root. */
export interface ListElement {
  readonly key: string | null;
  readonly datum: ElementDatum;
  readonly utxo: ChainUtxo;
}

/** A list or an output is not as the scripts leave it. */
export function broken(message: string): ChainProviderError {
  return new ChainProviderError('provider-answer', message, { provider: 'chain view' });
}

/** The names of the policy's tokens in an output. */
export function tokensOf({ policyId }: Contract, { assets }: ChainUtxo): string[] {
  return Object.keys(assets)
    .filter((unit) => unit.startsWith(policyId) && (assets[unit] as bigint) > 0n)
    .map((unit) => unit.slice(policyId.length));
}

/** The elements of a list, in any order. Outputs without a token of the policy do not belong to the list and are ignored. */
export function elementsOf(list: ListName, contract: Contract, utxos: readonly ChainUtxo[]): ListElement[] {
  const root = assetName(`${list}-root`);
  return utxos.flatMap((utxo) => {
    const names = tokensOf(contract, utxo);
    if (names.length === 0) return [];
    const [name] = names as [string];
    if (names.length > 1) throw broken(`an output of the ${list} list holds ${names.length} of its tokens`);
    const isNode = name.startsWith(nodePrefix[list]);
    if (name !== root && !isNode) throw broken(`the ${list} list has a token of an unknown name, ${name}`);
    const datum = datumOf(list, utxo);
    if ((datum.element === 'root') !== (name === root))
      throw broken(`the datum of ${name} in the ${list} list is a ${datum.element}`);
    return [{ key: name === root ? null : name.slice(nodePrefix[list].length), datum, utxo }];
  });
}

function datumOf(list: ListName, { datum, txHash, index }: ChainUtxo): ElementDatum {
  if (datum === null) throw broken(`${txHash}#${index} of the ${list} list has no datum`);
  try {
    return decodeElementDatum(datum);
  } catch (error) {
    throw broken(`the datum of ${txHash}#${index} in the ${list} list: ${(error as Error).message}`);
  }
}

/** The nodes from the root on, by their links. A list that does not exist yet is empty; anything else that does not add up is broken. */
export function linkedNodes(list: ListName, elements: readonly ListElement[]): ListElement[] {
  const byKey = new Map<string | null, ListElement>();
  for (const element of elements) {
    if (byKey.has(element.key)) throw broken(`the ${list} list has ${element.key ?? 'its root'} twice`);
    byKey.set(element.key, element);
  }
  const root = byKey.get(null);
  if (root === undefined && elements.length > 0) throw broken(`the ${list} list has nodes and no root`);
  const nodes: ListElement[] = [];
  let link = root?.datum.link ?? null;
  while (link !== null) {
    const node = byKey.get(link);
    if (node === undefined) throw broken(`the ${list} list links to ${link}, which is not there`);
    if (nodes.length >= elements.length) throw broken(`the ${list} list links back to ${link}`);
    nodes.push(node);
    link = node.datum.link;
  }
  if (root !== undefined && nodes.length + 1 < elements.length)
    throw broken(`the ${list} list has ${elements.length - 1} nodes, of which links reach ${nodes.length}`);
  return nodes;
}
