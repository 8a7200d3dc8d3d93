import { afterEach, describe, expect, test, vi } from 'vitest';
import {
  blockfrostProvider,
  type ChainProvider,
  ChainProviderError,
  type ChainUtxo,
  type ChainViewOptions,
  createChainView,
  koiosProvider,
  ogmiosKupoProvider,
  slotToTime,
  timeToSlot,
} from '../../src/chain/index.js';
import {
  assetName,
  encodeElementDatum,
  MidgardInputError,
  type MidgardState,
  planTransaction,
} from '../../src/index.js';
import { blockfrostServer, koiosServer, kupoServer, ogmiosServer } from '../support/chain-servers.js';
import { contracts, FakeChain, parameters, tokenUtxo, utxosOf } from '../support/fake-chain.js';
import { key, world } from '../support/world.js';

const opened: AsyncDisposable[] = [];
afterEach(async () => {
  for (const each of opened.splice(0).reverse()) await each[Symbol.asyncDispose]();
});
const open = <Server extends AsyncDisposable>(server: Server): Server => {
  opened.push(server);
  return server;
};

const state: MidgardState = world({
  active: [10, 20, 30],
  registered: [
    { operator: key(6), activationTime: 9_000_000_000 },
    { operator: key(5), activationTime: 8_000_000_000 },
  ],
  retired: [1, 2],
});

/** The chain without a server in between. */
function direct(chain: FakeChain): ChainProvider {
  return {
    tip: async () => ({ slot: chain.slot, hash: chain.hash }),
    utxosAt: async (address) => chain.at(address),
    async submit(cbor) {
      const hash = chain.submit(cbor);
      if (hash === null) throw new ChainProviderError('provider-refused', chain.refusal!, { provider: 'direct' });
      return hash;
    },
  };
}

const viewOf = (provider: ChainProvider, changes: Partial<ChainViewOptions> = {}) =>
  createChainView({
    provider,
    parameters,
    network: 'preprod',
    contracts,
    complete: async () => Uint8Array.of(1),
    ...changes,
  });

describe.each([
  {
    name: 'blockfrost',
    start: async (chain: FakeChain) =>
      blockfrostProvider({ url: open(await blockfrostServer(chain)).url, projectId: 'preprod-key' }),
  },
  { name: 'koios', start: async (chain: FakeChain) => koiosProvider({ url: open(await koiosServer(chain)).url }) },
  {
    name: 'ogmios and kupo',
    start: async (chain: FakeChain) => {
      const [node, index] = [open(await ogmiosServer(chain)), open(await kupoServer(chain))];
      return open(ogmiosKupoProvider({ ogmiosUrl: node.url.replace('http', 'ws'), kupoUrl: index.url }));
    },
  },
])('over $name', ({ start }) => {
  test('the state is what the tokens show', async () => {
    const view = viewOf(await start(new FakeChain(utxosOf(state))));
    expect(await view.state()).toEqual(state);
  });

  test('what strangers send to the contracts does not hide the state', async () => {
    const sent = (n: number, changes: Partial<ChainUtxo>): ChainUtxo[] =>
      Object.values(contracts).map(({ address }) => ({
        ...tokenUtxo(address, 'ff'.repeat(28), '', null),
        index: 100 + n,
        ...changes,
      }));
    const chain = new FakeChain([
      ...sent(1, { assets: {} }),
      ...sent(2, { assets: { [`${'ff'.repeat(28)}${assetName('scheduler')}`]: 9_223_372_036_854_775_807n } }),
      ...utxosOf(state),
      ...sent(3, { datum: Uint8Array.of(0xff), assets: {} }),
      ...sent(4, { scriptRef: '8200820180', assets: {} }),
      ...sent(5, { scriptRef: '820346450101002499' }),
    ]);
    expect(await viewOf(await start(chain)).state()).toEqual(state);
  });

  test('a transaction is judged, completed and handed in; what the node refuses is accepted-by-node', async () => {
    const chain = new FakeChain(utxosOf(state));
    const view = viewOf(await start(chain), { complete: async () => Uint8Array.of(4, 2) });
    const plan = planTransaction(state, 0, null, parameters);
    if (!plan.possible) return expect.fail(plan.explanation);
    expect(await view.submit(plan.transaction)).toEqual({ accepted: true });
    expect(chain.submitted.map((cbor) => [...cbor])).toEqual([[4, 2]]);
    chain.refusal = 'OutsideValidityIntervalUTxO';
    expect(await view.submit(plan.transaction)).toMatchObject({
      accepted: false,
      violations: [{ rule: 'accepted-by-node', found: expect.stringContaining('OutsideValidityIntervalUTxO') }],
    });
  });
});

describe('state()', () => {
  test('before Init there is nothing', async () => {
    expect(await viewOf(direct(new FakeChain([]))).state()).toEqual(world({ active: [], operator: null }));
  });

  test('outputs without a token of the policy are ignored, whatever they carry', async () => {
    const dust = tokenUtxo(contracts.active.address, 'ff'.repeat(28), assetName('active-root'), Uint8Array.of(0xff));
    const bare: ChainUtxo = { ...dust, assets: {}, index: 9 };
    expect(await viewOf(direct(new FakeChain([dust, ...utxosOf(state), bare]))).state()).toEqual(state);
  });

  test('contracts at one address are told apart by their tokens', async () => {
    const shared = Object.fromEntries(
      Object.entries(contracts).map(([name, contract]) => [name, { ...contract, address: 'addr_test1all' }]),
    ) as unknown as typeof contracts;
    const view = viewOf(direct(new FakeChain(utxosOf(state, shared))), { contracts: shared });
    expect(await view.state()).toEqual(state);
  });

  const rootOf = (link: string | null) =>
    tokenUtxo(
      contracts.active.address,
      contracts.active.policyId,
      assetName('active-root'),
      encodeElementDatum({ element: 'root', data: new Uint8Array(), link }),
    );
  const nodeOf = (n: number, link: string | null, element: 'root' | 'node' = 'node') =>
    tokenUtxo(
      contracts.active.address,
      contracts.active.policyId,
      assetName({ list: 'active', operator: key(n) }),
      encodeElementDatum({ element, data: { constr: 0, fields: [{ constr: 1, fields: [] }] }, link }),
    );
  const registered = (activationTime: number, fields: Uint8Array[], link: string | null) =>
    tokenUtxo(
      contracts.registered.address,
      contracts.registered.policyId,
      assetName({ list: 'registered', activationTime }),
      encodeElementDatum({ element: 'node', data: { constr: 0, fields }, link }),
    );
  const registeredRoot = (link: string | null) =>
    tokenUtxo(
      contracts.registered.address,
      contracts.registered.policyId,
      assetName('registered-root'),
      encodeElementDatum({ element: 'root', data: new Uint8Array(), link }),
    );

  test.each([
    { story: 'a link to nowhere', utxos: [rootOf(key(1))], says: 'which is not there' },
    { story: 'nodes without a root', utxos: [nodeOf(1, null)], says: 'no root' },
    {
      story: 'a node that no link reaches',
      utxos: [rootOf(key(1)), nodeOf(1, null), nodeOf(2, null)],
      says: 'links reach 1',
    },
    { story: 'a circle', utxos: [rootOf(key(1)), nodeOf(1, key(2)), nodeOf(2, key(1))], says: 'links back' },
    { story: 'a node twice', utxos: [rootOf(key(1)), nodeOf(1, null), nodeOf(1, null)], says: 'twice' },
    {
      story: 'keys out of order',
      utxos: [rootOf(key(2)), nodeOf(2, key(1)), nodeOf(1, null)],
      says: 'above the key before it',
    },
    { story: 'a node that says it is the root', utxos: [rootOf(key(1)), nodeOf(1, null, 'root')], says: 'is a root' },
    { story: 'an element without a datum', utxos: [{ ...rootOf(null), datum: null }], says: 'no datum' },
    { story: 'a datum that is none', utxos: [{ ...rootOf(null), datum: Uint8Array.of(1) }], says: 'at offset 0' },
    {
      story: 'a token of another name',
      utxos: [tokenUtxo(contracts.active.address, contracts.active.policyId, 'beef', null)],
      says: 'unknown name',
    },
    {
      story: 'a registrant without an operator',
      utxos: [registeredRoot('05'), registered(5, [], null)],
      says: 'no operator',
    },
    {
      story: 'a queue out of order',
      utxos: [
        registeredRoot('05'),
        registered(5, [new Uint8Array(28)], '06'),
        registered(6, [new Uint8Array(28).fill(1)], null),
      ],
      says: 'order of its activation times',
    },
  ])('$story is provider-answer', async ({ utxos, says }) => {
    const error = await viewOf(direct(new FakeChain(utxos)))
      .state()
      .catch((each) => each);
    expect(error).toMatchObject({ code: 'provider-answer' });
    expect(error.message).toContain(says);
  });

  test('is read again when the tip moved meanwhile', async () => {
    const chain = new FakeChain(utxosOf(state));
    const later = { ...state, scheduler: { operator: key(20), shiftStart: 3_600_000 } };
    let reads = 0;
    const provider: ChainProvider = {
      ...direct(chain),
      async utxosAt(address) {
        reads += 1;
        if (reads === 3) {
          chain.utxos = utxosOf(later);
          chain.moveTo(1_020);
        }
        return chain.at(address);
      },
    };
    expect(await viewOf(provider).state()).toEqual(later);
    expect(reads).toBe(10);
  });

  test('is provider-moving when the tip never rests', async () => {
    const chain = new FakeChain(utxosOf(state));
    let reads = 0;
    const provider: ChainProvider = {
      ...direct(chain),
      async utxosAt(address) {
        reads += 1;
        chain.moveTo(chain.slot + 1);
        return chain.at(address);
      },
    };
    await expect(viewOf(provider).state()).rejects.toMatchObject({ code: 'provider-moving' });
    expect(reads).toBe(4 * 5);
  });

  test('a tip behind one seen before is a rollback', async () => {
    const chain = new FakeChain(utxosOf(state));
    const onRollback = vi.fn();
    const view = viewOf(direct(chain), { onRollback });
    await view.state();
    chain.moveTo(1_050);
    await view.state();
    expect(onRollback).not.toHaveBeenCalled();
    chain.moveTo(990);
    await view.state();
    await view.state();
    expect(onRollback.mock.calls).toEqual([[{ fromSlot: 1_050, toSlot: 990 }]]);
  });

  test('a rollback is reported once, also to a listener that throws', async () => {
    const chain = new FakeChain(utxosOf(state));
    const onRollback = vi.fn(() => {
      throw new Error('no log');
    });
    const view = viewOf(direct(chain), { onRollback });
    await view.state();
    chain.moveTo(990);
    await expect(view.state()).rejects.toThrow('no log');
    expect(await view.state()).toEqual(state);
    expect(onRollback).toHaveBeenCalledTimes(1);
  });
});

describe('submit()', () => {
  const plan = planTransaction(state, 0, key(30), parameters);
  const tx = plan.possible ? plan.transaction : expect.fail(plan.explanation);

  test('names violations without completing or sending anything', async () => {
    const chain = new FakeChain(utxosOf(state));
    const complete = vi.fn(async () => Uint8Array.of(1));
    const verdict = await viewOf(direct(chain), { complete }).submit({ ...tx, signatories: [] });
    expect(verdict).toMatchObject({ accepted: false, violations: [{ rule: 'operator-consent' }] });
    expect(complete).not.toHaveBeenCalled();
    expect(chain.submitted).toEqual([]);
  });

  test('gives the outputs that the state was read from to complete', async () => {
    const chain = new FakeChain(utxosOf(state));
    const complete = vi.fn(async () => Uint8Array.of(1));
    await viewOf(direct(chain), { complete }).submit(tx);
    expect(complete.mock.calls).toEqual([[tx, expect.arrayContaining(utxosOf(state))]]);
  });

  test.each([
    { story: 'a lost answer', code: 'provider-unreachable' as const, details: { provider: 'x' } },
    { story: 'a key that is not valid', code: 'provider-refused' as const, details: { provider: 'x', status: 403 } },
  ])('$story is an error and no verdict', async ({ code, details }) => {
    const chain = new FakeChain(utxosOf(state));
    const provider = { ...direct(chain), submit: () => Promise.reject(new ChainProviderError(code, 'no', details)) };
    await expect(viewOf(provider).submit(tx)).rejects.toMatchObject({ code });
  });
});

test.each([
  {
    story: 'the older edition',
    changes: { parameters: { ...parameters, edition: '2025' } },
    says: 'parameters.edition',
  },
  { story: 'no edition', changes: { parameters: { ...parameters, edition: undefined } }, says: 'parameters.edition' },
  {
    story: 'a contract without a policy',
    changes: { contracts: { ...contracts, active: {} } },
    says: 'contracts.active.policyId',
  },
  { story: 'a network that does not exist', changes: { network: 'testnet' }, says: 'network' },
])('createChainView refuses $story', ({ changes, says }) => {
  const make = () => viewOf(direct(new FakeChain([])), changes as unknown as Partial<ChainViewOptions>);
  expect(make).toThrow(MidgardInputError);
  expect(make).toThrow(says);
});

describe('slots', () => {
  test.each([
    { network: 'mainnet' as const, slot: 4_492_800, at: '2020-07-29T21:44:51Z' },
    { network: 'preprod' as const, slot: 86_400, at: '2022-06-21T00:00:00Z' },
    { network: 'preview' as const, slot: 0, at: '2022-10-25T00:00:00Z' },
    { network: { zeroTimeMs: 500, zeroSlot: 10, slotLengthMs: 200 }, slot: 12, at: '1970-01-01T00:00:00.900Z' },
  ])('$network: slot $slot begins at $at and contains its last millisecond', ({ network, slot, at }) => {
    const begin = Date.parse(at);
    const length = typeof network === 'string' ? 1_000 : network.slotLengthMs;
    expect(slotToTime(network, slot)).toBe(begin);
    expect(timeToSlot(network, begin)).toBe(slot);
    expect(timeToSlot(network, begin + length - 1)).toBe(slot);
    expect(timeToSlot(network, begin + length)).toBe(slot + 1);
  });

  test('before slot zero there is none', () => {
    expect(() => timeToSlot('preview', 0)).toThrow(MidgardInputError);
    expect(() => slotToTime('mainnet', 1)).toThrow(MidgardInputError);
  });
});
