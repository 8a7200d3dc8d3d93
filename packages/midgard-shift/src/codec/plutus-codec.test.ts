import { describe, expect, test } from 'vitest';
import { decodePlutusData } from '../cbor/decode-plutus-data.js';
import { encodePlutusData } from '../cbor/encode-plutus-data.js';
import type { PlutusData } from '../cbor/plutus-data.js';
import { decodeNodeDatum, encodeNodeDatum } from '../editions/2025/node-datum.js';
import { fromHex, toHex } from '../state/hex.js';
import { MidgardInputError } from '../state/midgard-input-error.js';
import { decodeSchedulerDatum, encodeSchedulerDatum } from './datum-codec.js';
import { decodeMintRedeemer, decodeSpendRedeemer, encodeMintRedeemer, encodeSpendRedeemer } from './redeemer-codec.js';

const KEY = '0123456789abcdef0123456789abcdef0123456789abcdef01234567';

describe('7: what is written', () => {
  test('the scheduler datum is constructor 0 with bytes and an integer', () => {
    const datum = { operator: KEY, shiftStart: 1_700_000_000_000 };
    expect(toHex(encodeSchedulerDatum(datum))).toBe(`d8799f581c${KEY}1b0000018bcfe56800ff`);
    expect(toHex(encodeSchedulerDatum(datum, { arrays: 'definite' }))).toBe(`d87982581c${KEY}1b0000018bcfe56800`);
    for (const arrays of ['definite', 'indefinite'] as const)
      expect(decodeSchedulerDatum(encodeSchedulerDatum(datum, { arrays }))).toEqual(datum);
  });

  test('Init and Deinit are constructors without fields, whose empty array is 80 either way', () => {
    for (const arrays of ['definite', 'indefinite'] as const) {
      expect(toHex(encodeMintRedeemer('init', { arrays }))).toBe('d87980');
      expect(toHex(encodeMintRedeemer('deinit', { arrays }))).toBe('d87a80');
    }
    expect(decodeMintRedeemer(fromHex('d87980'))).toBe('init');
    expect(decodeMintRedeemer(fromHex('d87a9fff'))).toBe('deinit');
  });

  test('Advance has two indices, Rewind four', () => {
    const advance = { type: 'advance', outputIndex: 1, activeNodeIndex: 24 } as const;
    const rewind = {
      type: 'rewind',
      outputIndex: 0,
      activeNodeIndex: 1,
      activeRootIndex: 2,
      registeredNodeIndex: 3,
    } as const;
    expect(toHex(encodeSpendRedeemer(advance))).toBe('d8799f011818ff');
    expect(toHex(encodeSpendRedeemer(rewind))).toBe('d87a9f00010203ff');
    expect(decodeSpendRedeemer(encodeSpendRedeemer(advance))).toEqual(advance);
    expect(decodeSpendRedeemer(encodeSpendRedeemer(rewind, { arrays: 'definite' }))).toEqual(rewind);
  });

  test('a node has a key, a link and data; root and end are constructor 1', () => {
    const root = { key: null, link: KEY, data: [] };
    const last = { key: KEY, link: null, data: { constr: 0, fields: [5n] } };
    expect(toHex(encodeNodeDatum(root))).toBe(`d8799fd87a80d8799f581c${KEY}ff80ff`);
    expect(toHex(encodeNodeDatum(last))).toBe(`d8799fd8799f581c${KEY}ffd87a80d8799f05ffff`);
    expect(decodeNodeDatum(encodeNodeDatum(root))).toEqual(root);
    expect(decodeNodeDatum(encodeNodeDatum(last, { arrays: 'definite' }))).toEqual(last);
  });

  test.each<{ story: string; value: PlutusData; hex: string }>([
    { story: 'the greatest integer of 64 bits', value: 2n ** 64n - 1n, hex: '1bffffffffffffffff' },
    { story: 'the first beyond it', value: 2n ** 64n, hex: 'c249010000000000000000' },
    { story: 'the least integer of 64 bits', value: -(2n ** 64n), hex: '3bffffffffffffffff' },
    { story: 'the first below it', value: -(2n ** 64n) - 1n, hex: 'c349010000000000000000' },
    { story: 'minus twenty-four in one byte', value: -24n, hex: '37' },
    { story: 'an empty byte string', value: new Uint8Array(), hex: '40' },
    { story: '64 bytes in one piece', value: new Uint8Array(64), hex: `5840${'00'.repeat(64)}` },
    { story: '65 bytes in two', value: new Uint8Array(65), hex: `5f5840${'00'.repeat(64)}4100ff` },
    { story: 'constructor 6', value: { constr: 6, fields: [] }, hex: 'd87f80' },
    { story: 'constructor 7', value: { constr: 7, fields: [] }, hex: 'd9050080' },
    { story: 'constructor 127', value: { constr: 127, fields: [] }, hex: 'd9057880' },
    { story: 'constructor 128', value: { constr: 128, fields: [1n] }, hex: 'd8668218809f01ff' },
    { story: 'a list', value: [1n, [2n]], hex: '9f019f02ffff' },
  ])('$story is $hex', ({ value, hex }) => {
    expect(toHex(encodePlutusData(value))).toBe(hex);
    expect(decodePlutusData(fromHex(hex))).toEqual(value);
  });

  test('an integer of more than 64 bytes is in chunks too', () => {
    const value = 2n ** 512n;
    expect(toHex(encodePlutusData(value))).toBe(`c25f584001${'00'.repeat(63)}4100ff`);
    expect(decodePlutusData(encodePlutusData(value))).toBe(value);
  });

  test('other writings of the same are read', () => {
    expect(decodePlutusData(fromHex('1800'))).toBe(0n);
    expect(decodePlutusData(fromHex('c240'))).toBe(0n);
    expect(decodePlutusData(fromHex('5f41014102ff'))).toEqual(Uint8Array.of(1, 2));
    expect(decodePlutusData(fromHex('d8668200 80'.replace(' ', '')))).toEqual({ constr: 0, fields: [] });
    expect(decodePlutusData(fromHex('d8669f009f01ffff'))).toEqual({ constr: 0, fields: [1n] });
    expect(decodePlutusData(fromHex(`5841${'00'.repeat(65)}`))).toEqual(new Uint8Array(65));
  });

  test('what is decoded does not change with the input', () => {
    const input = fromHex('420102');
    const decoded = decodePlutusData(input) as Uint8Array;
    input[1] = 9;
    expect(decoded).toEqual(Uint8Array.of(1, 2));
    expect(decodePlutusData(Buffer.from('420102', 'hex'))).toEqual(Uint8Array.of(1, 2));
  });
});

describe('what is refused to be written', () => {
  const nested = Array.from({ length: 1_100 }).reduce<PlutusData>((inner) => [inner], 0n);
  test.each([
    { story: 'a number', write: () => encodePlutusData(5 as never) },
    { story: 'a negative constructor', write: () => encodePlutusData({ constr: -1, fields: [] }) },
    { story: 'a constructor without fields', write: () => encodePlutusData({ constr: 1 } as never) },
    { story: 'null', write: () => encodePlutusData(null as never) },
    { story: 'nesting without end', write: () => encodePlutusData(nested) },
    { story: 'another kind of array', write: () => encodePlutusData([], { arrays: 'short' as never }) },
    { story: 'a short key', write: () => encodeSchedulerDatum({ operator: 'ab', shiftStart: 0 }) },
    { story: 'a fraction', write: () => encodeSchedulerDatum({ operator: KEY, shiftStart: 0.5 }) },
    { story: 'an upper case key', write: () => encodeNodeDatum({ key: KEY.toUpperCase(), link: null, data: 0n }) },
    { story: 'no node', write: () => encodeNodeDatum(null as never) },
    { story: 'another redeemer', write: () => encodeMintRedeemer('advance' as never) },
    { story: 'another spending redeemer', write: () => encodeSpendRedeemer({ type: 'init' } as never) },
    {
      story: 'a negative index',
      write: () => encodeSpendRedeemer({ type: 'advance', outputIndex: -1, activeNodeIndex: 0 }),
    },
    { story: 'text instead of bytes', write: () => decodePlutusData('80' as never) as never },
  ])('$story', ({ write }) => {
    expect(write).toThrow(MidgardInputError);
  });
});
