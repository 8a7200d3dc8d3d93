import { createHash } from 'node:crypto';
import type { ChainUtxo, Contracts } from '../../src/chain/index.js';
import {
  assetName,
  encodeElementDatum,
  encodeSchedulerDatum,
  type MidgardState,
  type PlutusData,
  type ProtocolParameters,
} from '../../src/index.js';

const policy = (n: number) => n.toString(16).padStart(2, '0').repeat(28);

/** Contracts with readable policies and addresses. */
export const contracts: Contracts = {
  hubOracle: { policyId: policy(0xa0), address: 'addr_test1hub' },
  scheduler: { policyId: policy(0xa1), address: 'addr_test1scheduler' },
  active: { policyId: policy(0xa2), address: 'addr_test1active' },
  registered: { policyId: policy(0xa3), address: 'addr_test1registered' },
  retired: { policyId: policy(0xa4), address: 'addr_test1retired' },
};

export const parameters: ProtocolParameters = {
  shiftDurationMs: 3_600_000,
  registrationDurationMs: 86_400_000,
  requiredBond: 100n,
  edition: '2026-05',
};

export const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');

/** An output with a token and a datum. */
export function tokenUtxo(address: string, policyId: string, name: string, datum: Uint8Array | null): ChainUtxo {
  return {
    txHash: hashOf(policyId + name),
    index: 1,
    address,
    lovelace: 2_000_000n,
    assets: { [policyId + name]: 1n },
    datum,
  };
}

const bytes = (hex: string) => Uint8Array.from(Buffer.from(hex, 'hex'));

/** The outputs that a state leaves on the chain, keyed by address. */
export function utxosOf(state: MidgardState, of: Contracts = contracts): ChainUtxo[] {
  const utxos: ChainUtxo[] = [];
  const add = (contract: keyof Contracts, name: string, datum: Uint8Array | null) =>
    utxos.push(tokenUtxo(of[contract].address, of[contract].policyId, name, datum));
  if (state.hubOracle) add('hubOracle', '485542', null);
  if (state.scheduler !== null) add('scheduler', assetName('scheduler'), encodeSchedulerDatum(state.scheduler));
  const list = (
    name: 'active' | 'registered' | 'retired',
    nodes: readonly { key: string; asset: string; data: PlutusData }[],
  ) => {
    const linked = (element: 'root' | 'node', data: PlutusData, link: string | undefined) =>
      encodeElementDatum({ element, data, link: link ?? null });
    add(name, assetName(`${name}-root`), linked('root', new Uint8Array(), nodes[0]?.key));
    for (const [at, { asset, data }] of nodes.entries()) add(name, asset, linked('node', data, nodes[at + 1]?.key));
  };
  const noUnlock: PlutusData = { constr: 0, fields: [{ constr: 1, fields: [] }] };
  const keyed = (name: 'active' | 'retired') => (operator: string) => ({
    key: operator,
    asset: assetName({ list: name, operator }),
    data: noUnlock,
  });
  list('active', state.active.map(keyed('active')));
  list('retired', state.retired.map(keyed('retired')));
  list(
    'registered',
    state.registered.map(({ operator, activationTime }) => {
      const asset = assetName({ list: 'registered', activationTime });
      return { key: asset.slice(8), asset, data: { constr: 0, fields: [bytes(operator)] } };
    }),
  );
  return utxos;
}

/** What the servers in front of it show. */
export class FakeChain {
  utxos: ChainUtxo[];
  slot = 1_000;
  hash = hashOf('block 1000');
  readonly submitted: Uint8Array[] = [];
  /** What the node says to a transaction; null accepts it. */
  refusal: string | null = null;
  onSubmit: ((cbor: Uint8Array) => void) | null = null;
  /** Whether outputs only name the hash of their datum. */
  hasHashedDatums = false;
  /** Whether the datum of no hash is known. */
  isForgetful = false;
  /** Outputs that a service still lists, marked as spent. */
  readonly spent = new Set<ChainUtxo>();

  constructor(utxos: readonly ChainUtxo[]) {
    this.utxos = [...utxos];
  }

  at(address: string): ChainUtxo[] {
    return this.utxos.filter((utxo) => utxo.address === address);
  }

  /** The datum with this hash in hex, or null. */
  datumOf(hash: string): string | null {
    if (this.isForgetful) return null;
    const datums = this.utxos.flatMap(({ datum }) => (datum === null ? [] : [Buffer.from(datum).toString('hex')]));
    return datums.find((datum) => hashOf(datum) === hash) ?? null;
  }

  moveTo(slot: number): void {
    this.slot = slot;
    this.hash = hashOf(`block ${slot}`);
  }

  /** The hash of an accepted transaction, or null. */
  submit(cbor: Uint8Array): string | null {
    if (this.refusal !== null) return null;
    this.submitted.push(cbor);
    this.onSubmit?.(cbor);
    return hashOf(Buffer.from(cbor).toString('hex'));
  }
}
