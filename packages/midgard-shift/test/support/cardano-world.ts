import * as csl from '@emurgo/cardano-serialization-lib-nodejs';
import type { ChainProtocol, Contracts } from '../../src/chain/index.js';
import { contracts as named } from './fake-chain.js';

export const walletKey = csl.PrivateKey.from_normal_bytes(new Uint8Array(32).fill(7));
const addressOf = (credential: csl.Credential) => csl.EnterpriseAddress.new(0, credential).to_address().to_bech32();
export const walletAddress = addressOf(csl.Credential.from_keyhash(walletKey.to_public().hash()));
export const scriptAddress = (n: number) =>
  addressOf(csl.Credential.from_scripthash(csl.ScriptHash.from_hex(n.toString(16).padStart(2, '0').repeat(28))));

/** The contracts of the other stories, at addresses that a ledger library reads. */
export const contracts = Object.fromEntries(
  Object.entries(named).map(([name, { policyId }], n) => [name, { policyId, address: scriptAddress(n + 1) }]),
) as unknown as Contracts;

/** The figures of mainnet, with a cost model of the right length. */
export const protocol: ChainProtocol = {
  minFeeA: 44,
  minFeeB: 155_381,
  coinsPerUtxoByte: 4_310,
  priceMemory: 0.0577,
  priceSteps: 0.0000721,
  maxTxSize: 16_384,
  maxTxMemory: 14_000_000,
  maxTxSteps: 10_000_000_000,
  collateralPercentage: 150,
  maxCollateralInputs: 3,
  refScriptCostPerByte: 15,
  costModels: { PlutusV3: Array.from({ length: 297 }, (_, n) => (n % 7 === 0 ? -n : 1_000 * n)) },
};
