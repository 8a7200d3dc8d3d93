import { assetName } from '../../editions/2026-05/asset-name.js';
import { type ElementDatum, encodeElementDatum } from '../../editions/2026-05/element-datum.js';
import { refuse } from '../../state/midgard-input-error.js';
import type { PubKeyHash } from '../../state/pub-key-hash.js';
import type { Contracts } from '../contracts.js';
import type { ChainUtxo } from '../provider/chain-provider.js';
import { elementsOf, type ListElement, type ListName, linkedNodes } from '../view/element-list.js';
import { registrantFrom } from '../view/read-state.js';

/** An output that is to be made. */
export type NewOutput = Pick<ChainUtxo, 'address' | 'lovelace' | 'assets' | 'datum'>;

/** The changes of an activation to the two lists. */
export interface ActivationPlan {
  /** The outputs it spends: the registrant's node, the element that links to it, and the active element that the new node follows. */
  readonly spends: Readonly<Record<'registrant' | 'registeredAnchor' | 'activeAnchor', ChainUtxo>>;
  /** The outputs it makes, in this order: the two elements with their new links, and the new node with what the registrant's node held. */
  readonly makes: Readonly<Record<'registeredAnchor' | 'activeAnchor' | 'activeNode', NewOutput>>;
  /** The registrant's token is burnt, that of the active node minted. */
  readonly mint: Readonly<Record<string, bigint>>;
}

/** A new active node has no time at which its bond unlocks. */
const NO_UNLOCK_TIME = { constr: 0, fields: [{ constr: 1, fields: [] }] } as const;

/**
 * How the lists of edition `2026-05` change when a registrant becomes active, from the outputs that hold them. Throws `MidgardInputError`
 * when the operator is not registered or is active already, `provider-answer` when a list is broken.
 */
export function planActivation(
  operator: PubKeyHash,
  contracts: Contracts,
  utxos: readonly ChainUtxo[],
): ActivationPlan {
  const registered = listOf('registered', contracts, utxos);
  const at = registered.findIndex((element) => element.key !== null && registrantFrom(element).operator === operator);
  if (at < 1) return refuse('request.operator', 'an operator in the registered list', operator);
  const [registeredAnchor, registrant] = [registered[at - 1]!, registered[at]!];
  const active = listOf('active', contracts, utxos);
  if (active.some(({ key }) => key === operator))
    refuse('request.operator', 'an operator that is not active', operator);
  const activeAnchor = active.findLast(({ key }) => key === null || key < operator);
  if (activeAnchor === undefined) return refuse('utxos', 'outputs with the root of the active list', utxos.length);
  const token = contracts.active.policyId + assetName({ list: 'active', operator });
  const burnt = unitOf(contracts, 'registered', registrant);
  const { [burnt]: _burnt, ...otherAssets } = registrant.utxo.assets;
  const node: ElementDatum = { element: 'node', data: NO_UNLOCK_TIME, link: activeAnchor.datum.link };
  return {
    spends: {
      registrant: registrant.utxo,
      registeredAnchor: registeredAnchor.utxo,
      activeAnchor: activeAnchor.utxo,
    },
    makes: {
      registeredAnchor: relinked(registeredAnchor, registrant.datum.link),
      activeAnchor: relinked(activeAnchor, operator),
      activeNode: {
        address: contracts.active.address,
        lovelace: registrant.utxo.lovelace,
        assets: { ...otherAssets, [token]: 1n },
        datum: encodeElementDatum(node, { edition: '2026-05' }),
      },
    },
    mint: { [burnt]: -1n, [token]: 1n },
  };
}

/** The elements of a list in its order, the root first. */
function listOf(list: ListName, contracts: Contracts, utxos: readonly ChainUtxo[]): ListElement[] {
  const { policyId } = contracts[list];
  const own = utxos.filter(({ assets }) => Object.keys(assets).some((unit) => unit.startsWith(policyId)));
  const elements = elementsOf(list, contracts[list], own);
  return [...elements.filter(({ key }) => key === null), ...linkedNodes(list, elements)];
}

function unitOf(contracts: Contracts, list: ListName, { utxo }: ListElement): string {
  return Object.keys(utxo.assets).find((unit) => unit.startsWith(contracts[list].policyId)) as string;
}

function relinked({ datum, utxo }: ListElement, link: string | null): NewOutput {
  const { address, lovelace, assets } = utxo;
  return { address, lovelace, assets, datum: encodeElementDatum({ ...datum, link }, { edition: '2026-05' }) };
}
