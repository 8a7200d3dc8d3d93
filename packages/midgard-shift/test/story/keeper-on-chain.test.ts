import * as csl from '@emurgo/cardano-serialization-lib-nodejs';
import { seededRandom } from '@horae/clock-store';
import { createManualClock } from '@horae/clock-store/testing';
import { expect, test, vi } from 'vitest';
import {
  type ChainUtxo,
  createChainView,
  createCompleter,
  ogmiosKupoProvider,
  slotToTime,
  timeToSlot,
} from '../../src/chain/index.js';
import { ChainTimeoutError, type MidgardState, startShiftKeeper } from '../../src/index.js';
import { contracts, protocol, scriptAddress, walletAddress, walletKey } from '../support/cardano-world.js';
import { kupoServer, ogmiosServer } from '../support/chain-servers.js';
import { FakeChain, hashOf, parameters, utxosOf } from '../support/fake-chain.js';
import { key, world } from '../support/world.js';

const START = slotToTime('preprod', 90_000_000);
const HOUR = parameters.shiftDurationMs;
const coin = (name: string, at: string, more: Partial<ChainUtxo>): ChainUtxo => ({
  txHash: hashOf(name),
  index: 0,
  address: at,
  lovelace: 90_000_000n,
  assets: {},
  datum: null,
  ...more,
});
const extras = [
  coin('wallet', walletAddress, {}),
  coin('script', scriptAddress(9), { scriptRef: '820346450101002499' }),
];

/** What a node does: looks at the window and at the inputs, and spends them. */
function applyTo(chain: FakeChain, cbor: Uint8Array, now: () => number): void {
  const body = csl.Transaction.from_bytes(cbor).body();
  const slot = timeToSlot('preprod', now());
  expect(body.validity_start_interval()!).toBeLessThanOrEqual(slot);
  if (body.ttl() !== undefined) expect(body.ttl()!).toBeGreaterThan(slot);
  const hash = csl.FixedTransaction.from_bytes(cbor).transaction_hash().to_hex();
  const spent = new Set<string>();
  for (let at = 0; at < body.inputs().len(); at++) {
    const input = body.inputs().get(at);
    spent.add(`${input.transaction_id().to_hex()}#${input.index()}`);
  }
  const [before] = chain.at(contracts.scheduler.address);
  expect(spent.has(`${before!.txHash}#${before!.index}`)).toBe(true);
  const [scheduler, change] = [body.outputs().get(0), body.outputs().get(1)];
  chain.utxos = chain.utxos
    .filter(({ txHash, index }) => !spent.has(`${txHash}#${index}`))
    .concat(
      { ...before!, txHash: hash, index: 0, datum: scheduler.plutus_data()!.to_bytes() },
      coin('', walletAddress, { txHash: hash, index: 1, lovelace: BigInt(change.amount().coin().to_str()) }),
    );
}

test('a keeper reads Kupo, builds, signs and submits through Ogmios, and takes its shift again after a rollback', async () => {
  const state: MidgardState = world({ active: [10, 20], operator: 20, shiftStart: START });
  const clock = createManualClock({ now: START + HOUR - 2_000 });
  const chain = new FakeChain([...utxosOf(state, contracts), ...extras]);
  chain.moveTo(timeToSlot('preprod', START));
  chain.onSubmit = (cbor) => {
    applyTo(chain, cbor, () => clock.now());
    chain.moveTo(timeToSlot('preprod', clock.now()));
  };
  const node = await ogmiosServer(chain);
  const index = await kupoServer(chain);
  const provider = ogmiosKupoProvider({ ogmiosUrl: node.url.replace('http', 'ws'), kupoUrl: index.url });
  const onRollback = vi.fn();
  const view = createChainView({
    provider,
    parameters,
    network: 'preprod',
    contracts,
    onRollback,
    complete: createCompleter({
      provider,
      contracts,
      parameters,
      network: 'preprod',
      walletAddress,
      scriptAddress: scriptAddress(9),
      privateKeys: [Buffer.from(walletKey.as_bytes()).toString('hex')],
      executionUnits: { memory: 500_000, steps: 200_000_000 },
      protocol,
    }),
  });
  const failures: unknown[] = [];
  const keeper = startShiftKeeper({
    clock,
    chain: view,
    operator: key(10),
    parameters,
    random: seededRandom(1),
    network: 'preprod',
    clockSkewMs: 3_000,
    maxWindowMs: 600_000,
    onFailure: (error) => failures.push(error),
  });
  /** Sockets answer in real time while the clock stands: it goes on when the keeper has nothing more to do. */
  const until = (shiftStart: number) =>
    vi.waitFor(
      async () => {
        await clock.advanceBy(1_000);
        expect((await view.state()).scheduler).toEqual({ operator: key(10), shiftStart });
      },
      { timeout: 30_000, interval: 150 },
    );
  await until(START + HOUR);
  // On a machine that is very busy the standing clock may be moved past the time for an answer; nothing else may fail.
  expect(failures.filter((error) => !(error instanceof ChainTimeoutError))).toEqual([]);
  expect(chain.submitted).toHaveLength(1);
  expect(csl.Transaction.from_bytes(chain.submitted[0]!).witness_set().vkeys()!.len()).toBe(1);

  chain.utxos = [...utxosOf(state, contracts), ...extras];
  chain.moveTo(chain.slot - 40);
  await until(START + HOUR);
  expect(chain.submitted).toHaveLength(2);
  expect(onRollback).toHaveBeenCalled();

  await keeper.stop();
  await provider[Symbol.asyncDispose]();
  await Promise.all([node, index].map((server) => server[Symbol.asyncDispose]()));
}, 90_000);
