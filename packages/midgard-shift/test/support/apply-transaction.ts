import * as csl from '@emurgo/cardano-serialization-lib-nodejs';
import type { ChainUtxo } from '../../src/chain/index.js';
import type { FakeChain } from './fake-chain.js';

/** The tokens of a value by policy and name in hex. */
function tokensOf(value: csl.Value): Record<string, bigint> {
  const tokens: Record<string, bigint> = {};
  const assets = value.multiasset();
  const policies = assets?.keys();
  for (let at = 0; at < (policies?.len() ?? 0); at++) {
    const policy = policies!.get(at);
    const names = assets!.get(policy)!;
    for (let name = 0; name < names.keys().len(); name++) {
      const each = names.keys().get(name);
      const unit = policy.to_hex() + Buffer.from(each.name()).toString('hex');
      tokens[unit] = BigInt(names.get(each)!.to_str());
    }
  }
  return tokens;
}

/** What a node does with a transaction apart from running scripts: it must find every input and leaves the outputs behind. */
export function applyTransaction(chain: FakeChain, cbor: Uint8Array): void {
  const body = csl.Transaction.from_bytes(cbor).body();
  const hash = csl.FixedTransaction.from_bytes(cbor).transaction_hash().to_hex();
  for (let at = 0; at < body.inputs().len(); at++) {
    const input = body.inputs().get(at);
    const name = `${input.transaction_id().to_hex()}#${input.index()}`;
    const left = chain.utxos.filter(({ txHash, index }) => `${txHash}#${index}` !== name);
    if (left.length !== chain.utxos.length - 1) throw new Error(`the input ${name} is not there`);
    chain.utxos = left;
  }
  for (let index = 0; index < body.outputs().len(); index++) {
    const output = body.outputs().get(index);
    const made: ChainUtxo = {
      txHash: hash,
      index,
      address: output.address().to_bech32(),
      lovelace: BigInt(output.amount().coin().to_str()),
      assets: tokensOf(output.amount()),
      datum: output.plutus_data()?.to_bytes() ?? null,
    };
    chain.utxos.push(made);
  }
}
