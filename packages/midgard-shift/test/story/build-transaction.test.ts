import { createHash } from 'node:crypto';
import * as csl from '@emurgo/cardano-serialization-lib-nodejs';
import {
  Cbor,
  CborArray,
  type CborBytes,
  CborMap,
  CborNegInt,
  type CborObj,
  CborTag,
  CborUInt,
} from '@harmoniclabs/cbor';
import { type DataConstr, type DataI, dataFromCbor } from '@harmoniclabs/plutus-data';
import { describe, expect, test } from 'vitest';
import {
  type BuildOptions,
  buildTransaction,
  type ChainUtxo,
  createCompleter,
  signersOf,
  signTransaction,
  slotToTime,
} from '../../src/chain/index.js';
import {
  decodeSchedulerDatum,
  MidgardInputError,
  type MidgardState,
  type Plan,
  planTransaction,
} from '../../src/index.js';
import { blake2b } from '../support/blake2b.js';
import { contracts, protocol, scriptAddress, walletAddress, walletKey } from '../support/cardano-world.js';
import { hashOf, parameters, utxosOf } from '../support/fake-chain.js';
import { key, world } from '../support/world.js';

const NETWORK = 'preprod';
const START = slotToTime(NETWORK, 90_000_000);
const operatorKey = csl.PrivateKey.from_normal_bytes(new Uint8Array(32).fill(9));
const hashOfKey = (of: csl.PrivateKey) => of.to_public().hash().to_hex();
const executionUnits = { memory: 1_234_567, steps: 456_789_012 };

const coin = (n: number, lovelace: bigint, assets = {}): ChainUtxo => ({
  txHash: hashOf(`coin ${n}`),
  index: n,
  address: walletAddress,
  lovelace,
  assets,
  datum: null,
});
/** 30,000 bytes: more than one tier of the fee for reference scripts. */
const script: ChainUtxo = {
  ...coin(99, 50_000_000n),
  address: scriptAddress(9),
  scriptRef: `8203597530${'ab'.repeat(30_000)}`,
};

function stage(state: MidgardState, changes: Partial<BuildOptions> = {}) {
  const utxos = utxosOf(state, contracts);
  const scheduler = utxos.find(({ address }) => address === contracts.scheduler.address)!;
  const options: BuildOptions = {
    contracts,
    parameters,
    network: NETWORK,
    scheduler,
    elements: utxos,
    scripts: [script],
    wallet: [coin(1, 3_000_000n), coin(2, 80_000_000n), coin(3, 9_000_000n, { [`${'cc'.repeat(28)}01`]: 5n })],
    changeAddress: walletAddress,
    protocol,
    executionUnits,
    ...changes,
  };
  return { utxos, scheduler, options };
}

const operator = hashOfKey(operatorKey);
const state: MidgardState = {
  ...world({ active: [10, 20], operator: 20, shiftStart: START }),
  active: [key(10), key(20), operator].sort(),
  scheduler: { operator, shiftStart: START },
  registered: [{ operator: key(5), activationTime: START + 30 * 3_600_000 }],
};
const S = START + parameters.shiftDurationMs;
const possible = (plan: Plan) => (plan.possible ? plan : expect.fail(plan.explanation));

/** A transaction as a general CBOR library sees it: fields of the body by their numbers. */
function decoded(cbor: Uint8Array) {
  const [body, witnesses] = (Cbor.parse(cbor) as CborArray).array as [CborMap, CborMap];
  const fields = (of: CborMap) => new Map(of.map.map(({ k, v }) => [Number((k as CborUInt).num), v]));
  const items = (value: CborObj | undefined): CborObj[] => {
    const inner = value instanceof CborTag ? value.data : value;
    return inner instanceof CborArray ? inner.array : expect.fail('not an array');
  };
  const hex = (value: CborObj) => Buffer.from((value as CborBytes).bytes).toString('hex');
  const inputs = (value: CborObj | undefined) =>
    items(value).map((input) => {
      const [hash, index] = items(input) as [CborObj, CborObj];
      return `${hex(hash)}#${(index as CborUInt).num}`;
    });
  const number = (value: CborObj | undefined) => (value as CborUInt).num;
  return { body: fields(body), witnesses: fields(witnesses), items, hex, inputs, number };
}

const names = (utxos: readonly ChainUtxo[]) => utxos.map(({ txHash, index }) => `${txHash}#${index}`);

describe.each([
  { story: 'a signed advance', at: S - 60_000, who: operator, of: state },
  { story: 'an unsigned advance', at: S + 60_000, who: null, of: state },
  {
    story: 'an unsigned rewind',
    at: S + 60_000,
    who: null,
    of: { ...state, scheduler: { operator: state.active[0]!, shiftStart: START } },
  },
])('$story, decoded by an independent library', ({ at, who, of }) => {
  const plan = possible(planTransaction(of, at, who, parameters));
  const { options, utxos, scheduler } = stage(of);

  test('has its inputs and references sorted, and indices that point at what they should', async () => {
    const { cbor, redeemer } = await buildTransaction(plan, options);
    const { body, inputs } = decoded(cbor);
    const spent = inputs(body.get(0));
    const references = inputs(body.get(18));
    expect(spent).toEqual(spent.toSorted());
    expect(references).toEqual(references.toSorted());
    expect(spent[redeemer.inputIndex!]).toBe(names([scheduler])[0]);
    const unit = (list: 'active' | 'registered', name: string) => `${contracts[list].policyId}${name}`;
    const holder = (unit: string) => names(utxos.filter(({ assets }) => unit in assets))[0];
    expect(references[redeemer.activeNodeIndex]).toBe(holder(unit('active', `4d414354${plan.operator}`)));
    expect(references).toContain(names([script])[0]);
    if (redeemer.type !== 'rewind') return expect(references).toHaveLength(2);
    const text = (name: string) => Buffer.from(name).toString('hex');
    expect(references[redeemer.activeRootIndex]).toBe(holder(unit('active', text('MIDGARD_ACTIVE_OPERATORS'))));
    const time = (START + 30 * 3_600_000).toString(16).padStart(12, '0');
    expect(references[redeemer.registeredNodeIndex]).toBe(holder(unit('registered', `4d524547${time}`)));
    expect(references).toHaveLength(4);
  });

  test('has the redeemer, the datum, the slots, the collateral and the signer', async () => {
    const { cbor, redeemer, requiredSigners, fee } = await buildTransaction(plan, options);
    const { body, witnesses, items, hex, inputs, number } = decoded(cbor);
    const [first] = items(body.get(1)) as [CborMap];
    const output = new Map(first.map.map(({ k, v }) => [Number((k as CborUInt).num), v]));
    const datum = (items(output.get(2))[1] as CborTag).data as CborBytes;
    expect(decodeSchedulerDatum(datum.bytes)).toEqual(plan.transaction.schedulerOutput);
    expect(slotToTime(NETWORK, Number(number(body.get(8))))).toBeGreaterThanOrEqual(plan.validity.from!);
    if (plan.validity.to !== null)
      expect(slotToTime(NETWORK, Number(number(body.get(3))))).toBeLessThanOrEqual(plan.validity.to);
    const collateral = inputs(body.get(13));
    expect(names(options.wallet)).toEqual(expect.arrayContaining(collateral));
    expect(number(body.get(17))).toBe((fee * 150n + 99n) / 100n);
    if (plan.requiredSigner === null) expect(body.has(14)).toBe(false);
    else expect(items(body.get(14)).map(hex)).toEqual([plan.requiredSigner]);
    expect(requiredSigners).toEqual([...new Set([hashOfKey(walletKey), ...plan.transaction.signatories])].sort());
    const written = csl.TransactionWitnessSet.from_bytes(csl.Transaction.from_bytes(cbor).witness_set().to_bytes());
    const data = dataFromCbor(written.redeemers()!.get(0).data().to_bytes()) as DataConstr;
    expect(Number(data.constr)).toBe(redeemer.type === 'advance' ? 0 : 1);
    const { type: _, ...indices } = redeemer;
    expect(data.fields.map((field) => Number((field as DataI).int))).toEqual(Object.values(indices));
    expect([...witnesses.keys()]).toEqual([5]);
  });

  test('has the hash of its script data, computed by hand: redeemers, no datums, the cost model', async () => {
    const { cbor } = await buildTransaction(plan, options);
    const { body, hex } = decoded(cbor);
    const redeemers = csl.Transaction.from_bytes(cbor).witness_set().redeemers()!.to_bytes();
    expect(Buffer.from(cbor).includes(Buffer.from(redeemers))).toBe(true);
    const model = new CborArray(protocol.costModels.PlutusV3.map((n) => (n < 0 ? new CborNegInt(n) : new CborUInt(n))));
    const views = Cbor.encode(new CborMap([{ k: new CborUInt(2), v: model }]));
    expect(hex(body.get(11)!)).toBe(Buffer.from(blake2b(Buffer.concat([redeemers, views]), 32)).toString('hex'));
  });

  test('balances, and pays exactly the least fee when it is signed', async () => {
    const { cbor, requiredSigners, fee } = await buildTransaction(plan, options);
    const keys = [walletKey, operatorKey].filter((each) => requiredSigners.includes(hashOfKey(each)));
    const signed = await signTransaction(
      cbor,
      keys.map((each) => Buffer.from(each.as_bytes()).toString('hex')),
    );
    const transaction = csl.Transaction.from_bytes(signed);
    expect(transaction.witness_set().vkeys()!.len()).toBe(requiredSigners.length);
    const price = (numerator: string, denominator: string) =>
      csl.UnitInterval.new(csl.BigNum.from_str(numerator), csl.BigNum.from_str(denominator));
    const linear = csl.LinearFee.new(csl.BigNum.from_str('44'), csl.BigNum.from_str('155381'));
    const prices = csl.ExUnitPrices.new(price('577', '10000'), price('721', '10000000'));
    const least =
      BigInt(csl.min_fee(transaction, linear).to_str()) +
      BigInt(csl.min_script_fee(transaction, prices).to_str()) +
      BigInt(csl.min_ref_script_fee(30_000, price('15', '1')).to_str());
    expect(fee).toBeGreaterThanOrEqual(least);
    expect(fee - least).toBeLessThanOrEqual(44n * 8n);
    const body = transaction.body();
    const spent = decoded(cbor).inputs(decoded(cbor).body.get(0));
    const held = [...options.wallet, scheduler].filter((utxo) => spent.includes(names([utxo])[0]!));
    let out = fee;
    for (let at = 0; at < body.outputs().len(); at++) out += BigInt(body.outputs().get(at).amount().coin().to_str());
    expect(out).toBe(held.reduce((sum, { lovelace }) => sum + lovelace, 0n));
    const kept = body.outputs().get(0);
    expect(kept.address().to_bech32()).toBe(scheduler.address);
    expect(kept.amount().multiasset()!.len()).toBe(1);
  });
});

describe('the wallet', () => {
  const plan = possible(planTransaction(state, S + 60_000, null, parameters));

  test('tokens of outputs that have to be spent come back as change', async () => {
    const unit = `${'cc'.repeat(28)}01`;
    const { options } = stage(state, { wallet: [coin(3, 90_000_000n, { [unit]: 5n })] });
    const { cbor } = await buildTransaction(plan, options);
    const body = csl.Transaction.from_bytes(cbor).body();
    const change = body.outputs().get(1);
    const quantity = (output: csl.TransactionOutput) =>
      output
        .amount()
        .multiasset()!
        .get_asset(csl.ScriptHash.from_hex(unit.slice(0, 56)), csl.AssetName.new(Uint8Array.of(1)));
    expect(quantity(change).to_str()).toBe('5');
    expect(quantity(body.collateral_return()!).to_str()).toBe('5');
  });

  test.each([
    { story: 'nothing in it', wallet: [] },
    { story: 'too little in it', wallet: [coin(1, 400_000n)] },
    { story: 'nothing but an output that is referenced', wallet: [script] },
  ])('with $story it cannot pay', async ({ wallet }) => {
    await expect(buildTransaction(plan, stage(state, { wallet }).options)).rejects.toMatchObject({
      code: 'wallet-too-poor',
    });
  });

  test('several small outputs are put together', async () => {
    const wallet = Array.from({ length: 6 }, (_, n) => coin(n, 1_500_000n));
    const { cbor, fee } = await buildTransaction(plan, stage(state, { wallet }).options);
    const { body, inputs } = decoded(cbor);
    expect(inputs(body.get(0)).length).toBeGreaterThan(2);
    expect(inputs(body.get(13)).length).toBeLessThanOrEqual(3);
    expect(fee).toBeGreaterThan(0n);
  });
});

test.each([
  {
    story: 'a plan that is not possible',
    plan: { possible: false, reason: 'not-initialized' },
    changes: {},
    says: 'plan',
  },
  { story: 'an output without the NFT', changes: { scheduler: coin(1, 5n) }, says: 'scheduler' },
  {
    story: 'an output with a hash that is none',
    changes: { wallet: [{ ...coin(1, 90_000_000n), txHash: 'x' }] },
    says: 'wallet.txHash',
  },
  {
    story: 'a token that is none',
    changes: { wallet: [coin(1, 90_000_000n, { gold: 1n })] },
    says: 'wallet.assets',
  },
  { story: 'lists without the node', changes: { elements: [] }, says: 'elements' },
  { story: 'a change address that is none', changes: { changeAddress: 'here' }, says: 'changeAddress' },
  {
    story: 'a wallet of a script',
    changes: { wallet: [{ ...coin(1, 90_000_000n), address: scriptAddress(7) }] },
    says: 'wallet.address',
  },
  {
    story: 'too many steps',
    changes: { executionUnits: { memory: 1, steps: 10_000_000_001 } },
    says: 'executionUnits.steps',
  },
  {
    story: 'a protocol without a price',
    changes: { protocol: { ...protocol, priceSteps: undefined } },
    says: 'protocol.priceSteps',
  },
  { story: 'no cost model', changes: { protocol: { ...protocol, costModels: {} } }, says: 'costModels' },
  {
    story: 'a script reference that is none',
    changes: { scripts: [{ ...script, scriptRef: 'ff' }] },
    says: 'scriptRef',
  },
  {
    story: 'the older edition',
    changes: { parameters: { ...parameters, edition: '2025' } },
    says: 'parameters.edition',
  },
])('refuses $story', async ({ plan, changes, says }) => {
  const good = planTransaction(state, S + 60_000, null, parameters);
  const { options } = stage(state, changes as unknown as Partial<BuildOptions>);
  const error = await buildTransaction((plan as Plan | undefined) ?? good, options).catch((each) => each);
  expect(error).toBeInstanceOf(MidgardInputError);
  expect(error.message).toContain(says);
});

test('bytes that are no transaction are not signed', async () => {
  await expect(signTransaction(Uint8Array.of(1), [])).rejects.toBeInstanceOf(MidgardInputError);
});

test('a private key that is none is refused without being told', async () => {
  const { cbor } = await buildTransaction(planTransaction(state, S + 60_000, null, parameters), stage(state).options);
  const error = await signTransaction(cbor, ['deadbeef']).catch((each) => each);
  expect(error).toBeInstanceOf(MidgardInputError);
  expect(error.message).not.toContain('deadbeef');
});

test('the digests of the tests are those of Node where it has them', () => {
  for (const length of [0, 1, 127, 128, 129, 1_000]) {
    const bytes = Uint8Array.from({ length }, (_, at) => at * 7);
    expect(Buffer.from(blake2b(bytes, 64))).toEqual(createHash('blake2b512').update(bytes).digest());
  }
});

test.each(['init', 'deinit'] as const)('a completer builds no %s', async (redeemer) => {
  const { options, utxos } = stage(state);
  const provider = { tip: () => expect.fail(), utxosAt: async () => [], submit: () => expect.fail() };
  const complete = createCompleter({
    ...options,
    provider,
    walletAddress,
    scriptAddress: scriptAddress(9),
    privateKeys: [],
  });
  const tx = { ...possible(planTransaction(state, S + 60_000, null, parameters)).transaction, redeemer };
  const refused = complete({ ...tx, schedulerOutput: redeemer === 'deinit' ? null : tx.schedulerOutput }, utxos);
  await expect(refused).rejects.toThrow(MidgardInputError);
  await expect(refused).rejects.toMatchObject({ details: { field: 'tx.redeemer', value: redeemer } });
});

test('a completer without the key of the wallet names it instead of handing in what the node would refuse', async () => {
  const { options, utxos } = stage(state);
  const provider = {
    tip: () => expect.fail(),
    utxosAt: async (address: string) => (address === walletAddress ? [...options.wallet] : [script]),
    submit: () => expect.fail(),
  };
  const of = (key: csl.PrivateKey) =>
    createCompleter({
      ...options,
      provider,
      walletAddress,
      scriptAddress: scriptAddress(9),
      privateKeys: [key.to_hex()],
    });
  const { transaction } = possible(planTransaction(state, S + 60_000, null, parameters));
  await expect(of(operatorKey)(transaction, utxos)).rejects.toThrow(hashOfKey(walletKey));
  await expect(of(operatorKey)(transaction, utxos)).rejects.toMatchObject({ details: { field: 'privateKeys' } });
  const signed = csl.Transaction.from_bytes(await of(walletKey)(transaction, utxos));
  expect(signed.witness_set().vkeys()!.len()).toBe(1);
  expect(await signersOf([walletKey.to_hex()])).toEqual([hashOfKey(walletKey)]);
});
