import { type AddressInfo, createServer } from 'node:net';
import { createManualClock } from '@horae/clock-store/testing';
import { afterEach, describe, expect, test } from 'vitest';
import {
  blockfrostProvider,
  type Calls,
  type ChainProvider,
  ChainProviderError,
  type ChainUtxo,
  koiosProvider,
  ogmiosKupoProvider,
} from '../../src/chain/index.js';
import { MidgardInputError } from '../../src/index.js';
import {
  blockfrostServer,
  type Fault,
  koiosServer,
  kupoServer,
  ogmiosServer,
  type TestServer,
} from '../support/chain-servers.js';
import { contracts, FakeChain, hashOf, utxosOf } from '../support/fake-chain.js';
import { key, world } from '../support/world.js';

const quick: Calls = { retries: 2, backoffMs: 1 };
/** Short only where an answer never comes, so that a busy machine changes nothing. */
const patienceFor = (fault: Fault): Calls => (fault === 'hang' ? { ...quick, timeoutMs: 600 } : quick);
const opened: AsyncDisposable[] = [];
afterEach(async () => {
  for (const each of opened.splice(0).reverse()) await each[Symbol.asyncDispose]();
});

interface Stage {
  readonly provider: ChainProvider;
  readonly chain: FakeChain;
  /** The server that `utxosAt` and the one that `tip` and `submit` ask. */
  readonly index: TestServer;
  readonly node: TestServer;
}

const open = <Server extends AsyncDisposable>(server: Server): Server => {
  opened.push(server);
  return server;
};

const services: { name: string; start(chain: FakeChain, calls?: Calls): Promise<Stage> }[] = [
  {
    name: 'blockfrost',
    async start(chain, calls = quick) {
      const server = open(await blockfrostServer(chain));
      return {
        chain,
        index: server,
        node: server,
        provider: blockfrostProvider({ url: server.url, projectId: 'secret-token', ...calls }),
      };
    },
  },
  {
    name: 'koios',
    async start(chain, calls = quick) {
      const server = open(await koiosServer(chain));
      return {
        chain,
        index: server,
        node: server,
        provider: koiosProvider({ url: `${server.url}/`, token: 'secret-token', ...calls }),
      };
    },
  },
  ...['http', 'ws'].map((scheme) => ({
    name: `ogmios by ${scheme} with kupo`,
    async start(chain: FakeChain, calls = quick): Promise<Stage> {
      const [node, index] = [open(await ogmiosServer(chain)), open(await kupoServer(chain))];
      const ogmiosUrl = node.url.replace('http', scheme);
      const provider = open(ogmiosKupoProvider({ ogmiosUrl, kupoUrl: index.url, ...calls }));
      return { chain, index, node, provider };
    },
  })),
];

const state = world({
  active: [10, 20, 30],
  registered: [{ operator: key(5), activationTime: 7_000_000 }],
  retired: [1],
});
const rich: ChainUtxo = {
  txHash: hashOf('rich'),
  index: 3,
  address: 'addr_test1wallet',
  // More than a double holds exactly.
  lovelace: 44_999_999_999_999_999n,
  assets: { [`${'b0'.repeat(28)}`]: 9_007_199_254_740_993n, [`${'b0'.repeat(28)}00ff`]: 2n },
  datum: null,
  // An always succeeding Plutus V3 script, wrapped as a script output has it.
  scriptRef: '820346450101002499',
};

describe.each(services)('$name', ({ start }) => {
  test('shows the tip', async () => {
    const { provider, chain } = await start(new FakeChain([]));
    expect(await provider.tip()).toEqual({ slot: 1_000, hash: chain.hash });
  });

  test('shows outputs with exact quantities, datums and scripts', async () => {
    const { provider, chain } = await start(new FakeChain([...utxosOf(state), rich]));
    for (const { address } of [...Object.values(contracts), rich])
      expect(await provider.utxosAt(address)).toEqual(chain.at(address));
  });

  test('fetches datums that outputs only name by their hash, each once', async () => {
    const chain = new FakeChain(utxosOf(state));
    chain.hasHashedDatums = true;
    const { provider, index } = await start(chain);
    const wanted = chain.at(contracts.active.address);
    expect(await provider.utxosAt(contracts.active.address)).toEqual(wanted);
    const before = index.requests.length;
    expect(await provider.utxosAt(contracts.active.address)).toEqual(wanted);
    expect(index.requests.length - before).toBe(1);
  });

  test('a datum that nobody knows is looked up once a minute, not on every reading', async () => {
    const chain = new FakeChain(utxosOf(state));
    chain.hasHashedDatums = true;
    chain.isForgetful = true;
    const clock = createManualClock({ now: 0 });
    const { provider, index } = await start(chain, { ...quick, clock });
    const read = async () => {
      const before = index.requests.length;
      const [utxo] = await provider.utxosAt(contracts.scheduler.address);
      return [utxo?.datum === null, index.requests.length - before];
    };
    expect(await read()).toEqual([true, 2]);
    expect(await read()).toEqual([true, 1]);
    chain.isForgetful = false;
    await clock.advanceBy(60_000);
    expect(await read()).toEqual([false, 2]);
    expect(await read()).toEqual([false, 1]);
  });

  test('an address without outputs has none', async () => {
    const { provider } = await start(new FakeChain([]));
    expect(await provider.utxosAt('addr_test1nobody')).toEqual([]);
  });

  test('reads all pages', async () => {
    const many = Array.from({ length: 2_300 }, (_, n) => ({
      ...rich,
      scriptRef: undefined,
      txHash: hashOf(`${n}`),
      index: n,
    })).map(({ scriptRef: _, ...utxo }) => utxo);
    const { provider } = await start(new FakeChain(many));
    const found = await provider.utxosAt(rich.address);
    expect(found.map(({ index }) => index)).toEqual(many.map(({ index }) => index));
  });

  test.each<{ story: string; fault: Fault }>([
    { story: 'too many requests', fault: { status: 429 } },
    { story: 'an error of the service', fault: { status: 503 } },
    { story: 'a lost connection', fault: 'drop' },
    { story: 'no answer in time', fault: 'hang' },
  ])('tries again after $story, as often as it may', async ({ fault }) => {
    const { provider, index, node, chain } = await start(new FakeChain([rich]), patienceFor(fault));
    node.faults.push(fault, fault);
    expect((await provider.tip()).hash).toBe(chain.hash);
    expect(node.requests.length).toBe(3);
    index.faults.push(fault, fault, fault);
    const error = await provider.utxosAt(rich.address).catch((each) => each);
    expect(error).toBeInstanceOf(ChainProviderError);
    expect(error.code).toBe('provider-unreachable');
    expect(await provider.utxosAt(rich.address)).toEqual([rich]);
  });

  test('hands a transaction in and gives its hash', async () => {
    const { provider, chain } = await start(new FakeChain([]));
    const cbor = Uint8Array.of(1, 2, 3);
    expect(await provider.submit(cbor)).toBe(hashOf('010203'));
    expect(chain.submitted.map((each) => [...each])).toEqual([[1, 2, 3]]);
  });

  test('says what the node refused, once, without a secret', async () => {
    const { provider, chain, node } = await start(new FakeChain([]));
    chain.refusal = 'BadInputsUTxO, says secret-token';
    const error = await provider.submit(Uint8Array.of(1)).catch((each) => each);
    expect(error.code).toBe('provider-refused');
    expect(error.message).toContain('BadInputsUTxO');
    expect(node.requests.length).toBe(1);
  });

  test.each<{ story: string; fault: Fault }>([
    { story: 'an error of the service', fault: { status: 502 } },
    { story: 'a lost connection', fault: 'drop' },
    { story: 'no answer in time', fault: 'hang' },
  ])('never sends a transaction again that may have arrived: $story', async ({ fault }) => {
    const { provider, node } = await start(new FakeChain([]), patienceFor(fault));
    node.faults.push(fault);
    const error = await provider.submit(Uint8Array.of(1)).catch((each) => each);
    expect(error.code).toBe('provider-unreachable');
    expect(error.message).toContain('may have arrived');
    expect(node.requests.length).toBe(1);
  });

  test('an answer that is none is provider-answer or unreachable, and names no server', async () => {
    const { provider, index } = await start(new FakeChain([rich]));
    index.faults.push('nonsense');
    const error = await provider.utxosAt(rich.address).catch((each) => each);
    expect(error.code).toBe('provider-answer');
    expect(error.message).not.toContain('127.0.0.1');
  });

  test('a server that is not there is unreachable, and its address is not told', async () => {
    const { provider, index, node } = await start(new FakeChain([]));
    await Promise.allSettled([index, node].map((each) => each[Symbol.asyncDispose]()));
    for (const call of [
      () => provider.tip(),
      () => provider.submit(Uint8Array.of(1)),
      () => provider.utxosAt('addr_test1x'),
    ]) {
      const error = await call().catch((each: unknown) => each as ChainProviderError);
      expect(error).toMatchObject({ code: 'provider-unreachable' });
      expect(JSON.stringify([String(error), (error as ChainProviderError).details])).not.toMatch(/127\.0\.0\.1|secret/);
    }
  });
});

describe.each(services.slice(0, 2))('$name with a key', ({ start }) => {
  test('sends it in the header that is documented', async () => {
    const { provider, node } = await start(new FakeChain([]));
    await provider.tip();
    const { headers } = node.requests[0]!;
    expect([headers.project_id, headers.authorization]).toContainEqual(
      expect.stringMatching(/^(Bearer )?secret-token$/),
    );
  });

  test.each([403, 404, 418])('a refusal with %s keeps the key out of the error', async (status) => {
    const { provider, node } = await start(new FakeChain([]));
    node.faults.push({ status });
    const error = await provider.tip().catch((each) => each);
    expect(error).toMatchObject({ code: 'provider-refused', details: { status } });
    expect(
      JSON.stringify({ message: error.message, details: error.details, cause: String(error.cause) }),
    ).not.toContain('secret-token');
  });

  test('follows no redirect: another server gets neither the key nor the transaction', async () => {
    const elsewhere = open(await blockfrostServer(new FakeChain([])));
    const { provider, node } = await start(new FakeChain([]));
    node.faults.push({ status: 302, location: elsewhere.url }, { status: 307, location: elsewhere.url });
    await expect(provider.tip()).rejects.toMatchObject({ code: 'provider-refused', details: { status: 302 } });
    await expect(provider.submit(Uint8Array.of(1))).rejects.toMatchObject({ details: { status: 307 } });
    expect(elsewhere.requests).toEqual([]);
  });

  test.each([425, 429])('a transaction that was turned away by %s is sent again: it did not arrive', async (status) => {
    const { provider, node, chain } = await start(new FakeChain([]));
    node.faults.push({ status });
    expect(await provider.submit(Uint8Array.of(7))).toBe(hashOf('07'));
    expect(chain.submitted).toHaveLength(1);
  });
});

describe('ogmios and kupo', () => {
  test('a lost WebSocket is opened again', async () => {
    const chain = new FakeChain([]);
    const { provider, node } = await services[3]!.start(chain);
    await provider.tip();
    node.faults.push('drop');
    expect((await provider.tip()).slot).toBe(1_000);
    node.faults.push('nonsense');
    expect((await provider.tip()).slot).toBe(1_000);
  });

  test('several requests on one WebSocket get their own answers', async () => {
    const chain = new FakeChain([]);
    const { provider } = await services[3]!.start(chain);
    const [tip, ...hashes] = await Promise.all([
      provider.tip(),
      provider.submit(Uint8Array.of(1)),
      provider.submit(Uint8Array.of(2)),
    ]);
    expect([tip.hash, ...hashes]).toEqual([chain.hash, hashOf('01'), hashOf('02')]);
  });

  test('requests that come together share one WebSocket', async () => {
    const node = open(await ogmiosServer(new FakeChain([])));
    const provider = open(
      ogmiosKupoProvider({ ogmiosUrl: node.url.replace('http', 'ws'), kupoUrl: node.url, ...quick }),
    );
    await Promise.all([provider.tip(), provider.tip(), provider.tip()]);
    await provider.tip();
    expect(node.sockets.opened).toBe(1);
  });

  test('a WebSocket that has fallen silent is replaced; a transaction on it is not sent again', async () => {
    const chain = new FakeChain([]);
    const node = open(await ogmiosServer(chain, { mute: 2 }));
    const ogmiosUrl = node.url.replace('http', 'ws');
    const provider = open(
      ogmiosKupoProvider({ ogmiosUrl, kupoUrl: node.url, retries: 2, backoffMs: 1, timeoutMs: 600 }),
    );
    await expect(provider.submit(Uint8Array.of(1))).rejects.toMatchObject({ code: 'provider-unreachable' });
    expect(node.sockets.opened).toBe(1);
    expect((await provider.tip()).hash).toBe(chain.hash);
    expect([node.sockets.opened, chain.submitted.length]).toEqual([3, 0]);
  });

  test('a server that never finishes the handshake is unreachable, and no connection is left behind', async () => {
    const silent = createServer((client) => client.on('error', () => {}).resume());
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const ogmiosUrl = `ws://127.0.0.1:${(silent.address() as AddressInfo).port}`;
    const provider = ogmiosKupoProvider({ ogmiosUrl, kupoUrl: 'http://x', retries: 1, backoffMs: 1, timeoutMs: 300 });
    await expect(provider.tip()).rejects.toMatchObject({ code: 'provider-unreachable' });
    await provider[Symbol.asyncDispose]();
    // A server closes when its last connection has ended.
    await new Promise((resolve) => silent.close(resolve));
  });

  test('an indexer that is behind its node is waited for, and given up', async () => {
    const chain = new FakeChain([rich]);
    let checkpoint = 998;
    const node = open(await ogmiosServer(chain));
    const index = open(await kupoServer(chain, () => checkpoint++));
    const provider = open(ogmiosKupoProvider({ ogmiosUrl: node.url, kupoUrl: index.url, ...quick }));
    await provider.tip();
    expect(await provider.utxosAt(rich.address)).toEqual([rich]);
    expect(index.requests.filter(({ path }) => path.startsWith('/matches')).length).toBe(3);
    checkpoint = 100;
    await expect(provider.utxosAt(rich.address)).rejects.toMatchObject({ code: 'provider-moving' });
  });
});

test('koios: an output that is marked as spent is none', async () => {
  const chain = new FakeChain([rich, { ...rich, index: 4 }]);
  chain.spent.add(chain.utxos[1]!);
  const { provider } = await services[1]!.start(chain);
  expect(await provider.utxosAt(rich.address)).toEqual([rich]);
});

test.each([
  { story: 'a URL that is none', make: () => blockfrostProvider({ url: 'cardano', projectId: 'x' }) },
  {
    story: 'a socket where HTTP is needed',
    make: () => ogmiosKupoProvider({ ogmiosUrl: 'ws://x', kupoUrl: 'ws://x' }),
  },
  { story: 'negative retries', make: () => koiosProvider({ url: 'http://x', retries: -1 }) },
  { story: 'a timeout of nothing', make: () => koiosProvider({ url: 'http://x', timeoutMs: 0 }) },
])('refuses $story', ({ make }) => {
  expect(make).toThrow(MidgardInputError);
});
