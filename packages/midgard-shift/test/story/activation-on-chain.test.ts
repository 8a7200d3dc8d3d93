import * as csl from '@emurgo/cardano-serialization-lib-nodejs';
import { seededRandom } from '@horae/clock-store';
import { createManualClock } from '@horae/clock-store/testing';
import { afterEach, describe, expect, test, vi } from 'vitest';
import {
  type ActivationPlaces,
  type ActivationRedeemers,
  blockfrostProvider,
  buildActivation,
  type ChainProvider,
  type ChainUtxo,
  createActivationCompleter,
  createChainView,
  createCompleter,
  koiosProvider,
  ogmiosKupoProvider,
  planActivation,
  slotToTime,
  timeToSlot,
} from '../../src/chain/index.js';
import {
  activate,
  type LifecycleRequest,
  MidgardInputError,
  type MidgardState,
  startShiftKeeper,
} from '../../src/index.js';
import { applyTransaction } from '../support/apply-transaction.js';
import { contracts, protocol, scriptAddress, walletAddress, walletKey } from '../support/cardano-world.js';
import { blockfrostServer, koiosServer, kupoServer, ogmiosServer } from '../support/chain-servers.js';
import { FakeChain, hashOf, parameters, utxosOf } from '../support/fake-chain.js';
import { key, world } from '../support/world.js';

const START = slotToTime('preprod', 90_000_000);
const HOUR = parameters.shiftDurationMs;
const coin = (name: string, address: string, more: Partial<ChainUtxo> = {}): ChainUtxo => {
  return { txHash: hashOf(name), index: 0, address, lovelace: 90_000_000n, assets: {}, datum: null, ...more };
};
const wallet = coin('wallet', walletAddress);
const script = coin('script', scriptAddress(9), { scriptRef: '820346450101002499' });
const state: MidgardState = world({
  active: [10, 20],
  operator: 10,
  shiftStart: START,
  registered: [
    { operator: key(16), activationTime: START + 9 * HOUR },
    { operator: key(15), activationTime: START + HOUR / 2 },
  ],
});
const request: LifecycleRequest = {
  operator: key(15),
  signatories: [],
  validity: { from: START + HOUR, to: START + HOUR + 60_000 },
};
/** Redeemers of an imaginary deployment: constructor 1 with the index that matters. */
const redeemers = ({ inputs, outputs }: ActivationPlaces): ActivationRedeemers => {
  const at = (index: number) => ({ constr: 1, fields: [BigInt(index)] });
  return {
    spend: {
      registrant: at(inputs.registrant),
      registeredAnchor: at(inputs.registeredAnchor),
      activeAnchor: at(inputs.activeAnchor),
    },
    mint: { registered: at(outputs.registeredAnchor), active: at(outputs.activeNode) },
  };
};
const means = {
  contracts,
  parameters,
  network: 'preprod' as const,
  walletAddress,
  scriptAddress: scriptAddress(9),
  privateKeys: [Buffer.from(walletKey.as_bytes()).toString('hex')],
  executionUnits: { memory: 500_000, steps: 200_000_000 },
  protocol,
};
const viewOver = (provider: ChainProvider) =>
  createChainView({
    ...means,
    provider,
    complete: createCompleter({ ...means, provider }),
    completeActivation: createActivationCompleter({ ...means, provider, redeemers }),
  });
const chainOf = (of: MidgardState) => new FakeChain([...utxosOf(of, contracts), wallet, script]);

const opened: AsyncDisposable[] = [];
afterEach(async () => {
  for (const each of opened.splice(0).reverse()) await each[Symbol.asyncDispose]();
});
const open = <Server extends AsyncDisposable>(server: Server): Server => {
  opened.push(server);
  return server;
};
const ogmiosAndKupo = async (chain: FakeChain) => {
  const [node, index] = [open(await ogmiosServer(chain)), open(await kupoServer(chain))];
  return open(ogmiosKupoProvider({ ogmiosUrl: node.url.replace('http', 'ws'), kupoUrl: index.url }));
};

describe('the transaction of an activation', () => {
  const options = { ...means, elements: utxosOf(state, contracts), scripts: [script], wallet: [wallet], redeemers };

  test('burns the token of the registrant, mints that of the active node and keeps the bond', async () => {
    const { cbor, requiredSigners, fee } = await buildActivation(request, { ...options, changeAddress: walletAddress });
    const plan = planActivation(key(15), contracts, options.elements);
    const transaction = csl.Transaction.from_bytes(cbor);
    const body = transaction.body();
    expect(requiredSigners).toEqual([walletKey.to_public().hash().to_hex()]);
    expect(Object.values(plan.mint)).toEqual([-1n, 1n]);
    expect(body.mint()!.len()).toBe(2);
    expect(body.inputs().len()).toBe(4);
    expect(plan.makes.activeNode.lovelace).toBe(plan.spends.registrant.lovelace);
    const out = Array.from({ length: body.outputs().len() }, (_, at) => {
      return BigInt(body.outputs().get(at).amount().coin().to_str());
    });
    const spent = [...Object.values(plan.spends), wallet].reduce((sum, { lovelace }) => sum + lovelace, 0n);
    expect(out.reduce((sum, each) => sum + each, fee)).toBe(spent);
    expect(body.validity_start_interval()).toBe(timeToSlot('preprod', START + HOUR));
    expect(body.ttl()).toBe(timeToSlot('preprod', START + HOUR + 60_000));
  });

  test('calls five scripts with the redeemers it is given, whose indices count the sorted inputs', async () => {
    let places: ActivationPlaces | undefined;
    const { cbor } = await buildActivation(request, {
      ...options,
      changeAddress: walletAddress,
      redeemers: (given) => {
        places = given;
        return redeemers(given);
      },
    });
    const transaction = csl.Transaction.from_bytes(cbor);
    const body = transaction.body();
    const { spends } = planActivation(key(15), contracts, options.elements);
    for (const name of ['registrant', 'registeredAnchor', 'activeAnchor'] as const)
      expect(body.inputs().get(places!.inputs[name]).transaction_id().to_hex()).toBe(spends[name].txHash);
    const written = transaction.witness_set().redeemers()!;
    const calls = Array.from({ length: written.len() }, (_, at) => {
      const each = written.get(at);
      return `${each.tag().kind() === csl.RedeemerTagKind.Mint ? 'mint' : 'spend'} ${each.index().to_str()}`;
    });
    const { registrant, registeredAnchor, activeAnchor } = places!.inputs;
    // The policy of the active list is the smaller one.
    const wanted = [registrant, registeredAnchor, activeAnchor].map((index) => `spend ${index}`);
    expect(calls.sort()).toEqual([...wanted, 'mint 0', 'mint 1'].sort());
  });

  test('leaves lists behind that show the state after the activation, for the first, the last and the only one', async () => {
    for (const [operator, active] of [
      [key(15), [10, 20]],
      [key(5), [10, 20]],
      [key(30), [10, 20]],
      [key(5), []],
    ] as const) {
      const due = { operator, activationTime: START };
      const before: MidgardState = { ...state, active: active.map(key), registered: [state.registered[0]!, due] };
      const chain = chainOf(before);
      const { cbor } = await buildActivation(
        { ...request, operator },
        { ...options, elements: utxosOf(before, contracts), changeAddress: walletAddress },
      );
      applyTransaction(chain, cbor);
      const verdict = activate(before, { ...request, operator }, parameters);
      const provider = { tip: async () => chain, utxosAt: async (at: string) => chain.at(at), submit: async () => '' };
      expect(await viewOver(provider).state()).toEqual(verdict.accepted && verdict.state);
    }
  });

  test.each([
    { story: 'an operator that is not registered', change: { operator: key(77) }, field: 'request.operator' },
    { story: 'a window without a slot', change: { validity: { from: START, to: START + 1 } }, field: 'plan.validity' },
  ])('refuses $story by name', async ({ change, field }) => {
    const call = buildActivation({ ...request, ...change }, { ...options, changeAddress: walletAddress });
    await expect(call).rejects.toThrow(MidgardInputError);
    await expect(call).rejects.toThrow(field);
  });

  test('refuses execution units that five calls together may not use', async () => {
    const executionUnits = { memory: protocol.maxTxMemory / 4, steps: 1 };
    const call = buildActivation(request, { ...options, changeAddress: walletAddress, executionUnits });
    await expect(call).rejects.toThrow('for 5 calls together');
  });

  test('refuses redeemers that are not there', async () => {
    const none = () => ({ spend: {}, mint: {} }) as never;
    const call = buildActivation(request, { ...options, changeAddress: walletAddress, redeemers: none });
    await expect(call).rejects.toThrow('redeemers.spend.registrant');
  });
});

describe.each([
  {
    name: 'blockfrost',
    start: async (chain: FakeChain) =>
      blockfrostProvider({ url: open(await blockfrostServer(chain)).url, projectId: 'preprod-key' }),
  },
  { name: 'koios', start: async (chain: FakeChain) => koiosProvider({ url: open(await koiosServer(chain)).url }) },
  { name: 'ogmios and kupo', start: ogmiosAndKupo },
])('activate of a chain view over $name', ({ start }) => {
  test('judges, builds, signs and hands in; what the node refuses is accepted-by-node', async () => {
    const chain = chainOf(state);
    chain.onSubmit = (cbor) => applyTransaction(chain, cbor);
    const view = viewOver(await start(chain));
    const early = await view.activate!({ ...request, validity: { from: START, to: START + HOUR } });
    expect(early).toMatchObject({ accepted: false, violations: [{ rule: 'activation-time-reached' }] });
    chain.refusal = 'the script failed';
    const refused = await view.activate!(request);
    expect(refused).toMatchObject({ accepted: false, violations: [{ rule: 'accepted-by-node' }] });
    expect(chain.submitted).toEqual([]);
    chain.refusal = null;
    expect(await view.activate!(request)).toEqual({ accepted: true });
    expect(await view.state()).toMatchObject({
      active: [key(10), key(15), key(20)],
      registered: [{ operator: key(16) }],
    });
  });
});

test('a view without completeActivation has no activate, and a keeper that is to activate refuses it at its start', () => {
  const chain = chainOf(state);
  const provider = { tip: async () => chain, utxosAt: async (at: string) => chain.at(at), submit: async () => '' };
  const view = createChainView({ ...means, provider, complete: createCompleter({ ...means, provider }) });
  expect(view.activate).toBeUndefined();
  const options = { clock: createManualClock({ now: START }), chain: view, operator: key(20), parameters };
  expect(() => startShiftKeeper({ ...options, activateRegistrants: true })).toThrow('activateRegistrants');
});

test('a keeper activates the due registrant that blocks its rewind, then rewinds, all on the chain', async () => {
  const clock = createManualClock({ now: START + HOUR - 2_000 });
  const chain = chainOf(state);
  chain.moveTo(timeToSlot('preprod', START));
  chain.onSubmit = (cbor) => {
    applyTransaction(chain, cbor);
    chain.moveTo(timeToSlot('preprod', clock.now()));
  };
  const view = viewOver(await ogmiosAndKupo(chain));
  const keeper = startShiftKeeper({
    clock,
    chain: view,
    operator: key(20),
    parameters,
    random: seededRandom(1),
    network: 'preprod',
    activateRegistrants: true,
  });
  await vi.waitFor(
    async () => {
      await clock.advanceBy(1_000);
      expect((await view.state()).scheduler).toEqual({ operator: key(20), shiftStart: START + HOUR });
    },
    { timeout: 30_000, interval: 100 },
  );
  expect((await view.state()).active).toEqual([key(10), key(15), key(20)]);
  expect(keeper.metrics()).toMatchObject({ activations: 1 });
  await keeper.stop();
}, 60_000);
