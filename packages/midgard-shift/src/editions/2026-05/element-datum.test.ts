import { describe, expect, test } from 'vitest';
import { PlutusDecodeError } from '../../cbor/plutus-decode-error.js';
import { decodeSchedulerDatum, encodeSchedulerDatum } from '../../codec/datum-codec.js';
import { decodeSpendRedeemer, encodeSpendRedeemer } from '../../codec/redeemer-codec.js';
import { fromHex, toHex } from '../../state/hex.js';
import { MidgardInputError } from '../../state/midgard-input-error.js';
import { encodeNodeDatum } from '../2025/node-datum.js';
import { type AssetNameOf, assetName } from './asset-name.js';
import { decodeElementDatum, encodeElementDatum } from './element-datum.js';

const KEY = 'ab'.repeat(28);
const edition = '2026-05' as const;

describe('what is written', () => {
  test.each([
    {
      story: 'the root of an empty list',
      value: { element: 'root', data: new Uint8Array(), link: null },
      hex: 'd8799fd8799f40ffd87a80ff',
    },
    {
      story: 'an active node without an unlock time, with a link',
      value: { element: 'node', data: { constr: 0, fields: [{ constr: 1, fields: [] }] }, link: KEY },
      hex: `d8799fd87a9fd8799fd87a80ffffd8799f581c${KEY}ffff`,
    },
    {
      story: 'a registered node, whose link is an activation time',
      value: { element: 'node', data: { constr: 0, fields: [fromHex(KEY)] }, link: '0199' },
      hex: `d8799fd87a9fd8799f581c${KEY}ffffd8799f420199ffff`,
    },
  ] as const)('$story', ({ value, hex }) => {
    expect(toHex(encodeElementDatum(value, { edition }))).toBe(hex);
    expect(decodeElementDatum(fromHex(hex), { edition })).toEqual(value);
  });

  test('an advance has three indices, a rewind five, the input first', () => {
    const advance = { type: 'advance', inputIndex: 1, outputIndex: 2, activeNodeIndex: 3 } as const;
    expect(toHex(encodeSpendRedeemer(advance, { edition }))).toBe('d8799f010203ff');
    expect(toHex(encodeSpendRedeemer(advance, { edition, arrays: 'definite' }))).toBe('d87983010203');
    const rewind = { ...advance, type: 'rewind', activeRootIndex: 4, registeredNodeIndex: 5 } as const;
    expect(toHex(encodeSpendRedeemer(rewind, { edition }))).toBe('d87a9f0102030405ff');
    expect(decodeSpendRedeemer(fromHex('d87a850102030405'), { edition })).toEqual(rewind);
  });

  test('the scheduler datum is the same in both editions', () => {
    const datum = { operator: KEY, shiftStart: 7 };
    expect(encodeSchedulerDatum(datum, { edition })).toEqual(encodeSchedulerDatum(datum));
    expect(decodeSchedulerDatum(encodeSchedulerDatum(datum), { edition })).toEqual(datum);
  });
});

describe('the names of tokens', () => {
  const text = (of: AssetNameOf) => Buffer.from(assetName(of), 'hex').toString('latin1');

  test.each([
    ['scheduler', 'MIDGARD_SCHEDULER'],
    ['active-root', 'MIDGARD_ACTIVE_OPERATORS'],
    ['registered-root', 'MIDGARD_REGISTERED_OPERATORS'],
    ['retired-root', 'MIDGARD_RETIRED_OPERATORS'],
  ] as const)('%s is %s', (of, name) => expect(text(of)).toBe(name));

  test('a node is its prefix and its key', () => {
    expect(assetName({ list: 'active', operator: KEY })).toBe(`4d414354${KEY}`);
    expect(assetName({ list: 'retired', operator: KEY })).toBe(`4d524554${KEY}`);
  });

  test.each([
    { activationTime: 0, key: '' },
    { activationTime: 15, key: '0f' },
    { activationTime: 256, key: '0100' },
    { activationTime: 1_767_258_000_000, key: '019b78c90a80' },
  ])('a registrant of $activationTime has the key "$key"', ({ activationTime, key }) => {
    expect(assetName({ list: 'registered', activationTime })).toBe(`4d524547${key}`);
    expect(key === '' ? 0 : Number.parseInt(key, 16)).toBe(activationTime);
  });

  test.each([
    { story: 'a name that does not exist', of: 'hub-oracle' },
    { story: 'a time before 1970', of: { list: 'registered', activationTime: -1 } },
    { story: 'an operator that is no key hash', of: { list: 'active', operator: 'me' } },
    { story: 'a list that does not exist', of: { list: 'waiting', operator: KEY } },
  ])('refuses $story', ({ of }) => {
    expect(() => assetName(of as AssetNameOf)).toThrow(MidgardInputError);
  });
});

describe('what is refused', () => {
  test.each([
    {
      story: 'an edition that does not exist',
      call: () => encodeSchedulerDatum({ operator: KEY, shiftStart: 1 }, { edition: '2024' as never }),
      says: "'2025' or '2026-05'",
    },
    {
      story: 'a node datum of the newer edition',
      call: () => encodeNodeDatum({ key: null, link: null, data: 0n }, { edition }),
      says: 'encodeElementDatum',
    },
    {
      story: 'an element of the older edition',
      call: () => encodeElementDatum({ element: 'root', data: 0n, link: null }, { edition: '2025' }),
      says: 'encodeNodeDatum',
    },
    {
      story: 'a redeemer without the input index',
      call: () => encodeSpendRedeemer({ type: 'advance', outputIndex: 0, activeNodeIndex: 0 }, { edition }),
      says: 'redeemer.inputIndex',
    },
    {
      story: 'an input index in the older edition',
      call: () => encodeSpendRedeemer({ type: 'advance', inputIndex: 0, outputIndex: 0, activeNodeIndex: 0 }),
      says: "left out in edition '2025'",
    },
    {
      story: 'a link that is no hex',
      call: () => encodeElementDatum({ element: 'root', data: 0n, link: 'x' }),
      says: 'value.link',
    },
  ])('$story', ({ call, says }) => {
    expect(call).toThrow(MidgardInputError);
    expect(call).toThrow(says);
  });

  test.each([
    { story: 'fields with a length', hex: 'd87982010203', at: 2, found: 'Constructor 0 should have 3 fields, found 2' },
    {
      story: 'too few fields before the break',
      hex: 'd8799f0102ff',
      at: 2,
      found: 'Constructor 0 should have 3 fields, found 2',
    },
    {
      story: 'too many fields before the break',
      hex: 'd8799f0102030405ff',
      at: 2,
      found: 'Constructor 0 should have 3 fields, found 5',
    },
    {
      story: 'too many fields, the last of which has no end',
      hex: 'd8799f010203049f',
      at: 2,
      found: 'Constructor 0 should have 3 fields, found more than 4',
    },
  ])('$story: the error says what was found and what there should be', ({ hex, at, found }) => {
    const call = () => decodeSpendRedeemer(fromHex(hex), { edition });
    expect(call).toThrow(found);
    expect(call).toThrow(expect.objectContaining({ code: 'wrong-arity', details: { offset: at } }));
    expect(call).toThrow(PlutusDecodeError);
  });
});
