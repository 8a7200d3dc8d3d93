import { seededRandom } from '@horae/clock-store';
import { describe, expect, test } from 'vitest';
import {
  decodeMintRedeemer,
  decodeNodeDatum,
  decodePlutusData,
  decodeSchedulerDatum,
  decodeSpendRedeemer,
  encodeNodeDatum,
  encodePlutusData,
  encodeSchedulerDatum,
  encodeSpendRedeemer,
  PlutusDecodeError,
} from '../../src/index.js';

const KEY = '0123456789abcdef0123456789abcdef0123456789abcdef01234567';
const bytes = (hex: string) => Uint8Array.from(Buffer.from(hex, 'hex'));

function failureOf(decode: () => unknown): { code: string; offset: number } {
  try {
    decode();
  } catch (error) {
    if (error instanceof PlutusDecodeError) return { code: error.code, offset: error.details.offset };
    throw error;
  }
  throw new Error('it was decoded');
}

const cases: { story: string; decode: (input: Uint8Array) => unknown; hex: string; code: string; offset: number }[] = [
  { story: 'nothing', decode: decodePlutusData, hex: '', code: 'truncated', offset: 0 },
  { story: 'a head without its argument', decode: decodePlutusData, hex: '1b0000', code: 'truncated', offset: 3 },
  { story: 'bytes that are not there', decode: decodePlutusData, hex: '4401', code: 'truncated', offset: 2 },
  {
    story: 'a length beyond all memory',
    decode: decodePlutusData,
    hex: '5bffffffffffffffff00',
    code: 'truncated',
    offset: 10,
  },
  {
    story: 'an array of more items than bytes',
    decode: decodePlutusData,
    hex: '9bffffffffffffffff0101',
    code: 'truncated',
    offset: 11,
  },
  { story: 'an array without its break', decode: decodePlutusData, hex: '9f01', code: 'truncated', offset: 2 },
  { story: 'chunks without their break', decode: decodePlutusData, hex: '5f4101', code: 'truncated', offset: 3 },
  { story: 'a tag of nothing', decode: decodePlutusData, hex: 'd879', code: 'truncated', offset: 2 },
  { story: 'a byte too many', decode: decodePlutusData, hex: '0100', code: 'trailing-bytes', offset: 1 },
  { story: 'a break of nothing', decode: decodePlutusData, hex: 'ff', code: 'wrong-type', offset: 0 },
  { story: 'a break in a definite array', decode: decodePlutusData, hex: '8201ff', code: 'wrong-type', offset: 2 },
  { story: 'a reserved head', decode: decodePlutusData, hex: '811c', code: 'wrong-type', offset: 1 },
  { story: 'a map', decode: decodePlutusData, hex: '81a0', code: 'wrong-type', offset: 1 },
  { story: 'text', decode: decodePlutusData, hex: '6161', code: 'wrong-type', offset: 0 },
  { story: 'a float', decode: decodePlutusData, hex: '9ff90000ff', code: 'wrong-type', offset: 1 },
  { story: 'true', decode: decodePlutusData, hex: 'f5', code: 'wrong-type', offset: 0 },
  { story: 'a chunk that is an integer', decode: decodePlutusData, hex: '5f410101ff', code: 'wrong-type', offset: 3 },
  { story: 'a chunk of chunks', decode: decodePlutusData, hex: '5f5f4101ffff', code: 'wrong-type', offset: 1 },
  { story: 'a big number that is no bytes', decode: decodePlutusData, hex: '81c201', code: 'wrong-type', offset: 2 },
  { story: 'an unknown tag', decode: decodePlutusData, hex: '81d81880', code: 'wrong-tag', offset: 1 },
  {
    story: 'the tag after the last constructor',
    decode: decodePlutusData,
    hex: 'd9057980',
    code: 'wrong-tag',
    offset: 0,
  },
  { story: 'a constructor of no array', decode: decodePlutusData, hex: 'd87901', code: 'wrong-type', offset: 2 },
  { story: 'tag 102 with one item', decode: decodePlutusData, hex: 'd8668100', code: 'wrong-arity', offset: 2 },
  {
    story: 'tag 102 with three items',
    decode: decodePlutusData,
    hex: 'd8669f008000ff',
    code: 'wrong-arity',
    offset: 2,
  },
  {
    story: 'tag 102 with an endless number',
    decode: decodePlutusData,
    hex: 'd866821bffffffffffffffff80',
    code: 'out-of-range',
    offset: 3,
  },
  {
    story: 'tag 102 with a negative number',
    decode: decodePlutusData,
    hex: 'd866822080',
    code: 'out-of-range',
    offset: 3,
  },
  {
    story: 'nesting without end',
    decode: decodePlutusData,
    hex: '81'.repeat(2_000),
    code: 'out-of-range',
    offset: 1_025,
  },
  { story: 'a datum that is an integer', decode: decodeSchedulerDatum, hex: '01', code: 'wrong-type', offset: 0 },
  { story: 'a datum that is a big number', decode: decodeSchedulerDatum, hex: 'c24101', code: 'wrong-type', offset: 0 },
  {
    story: 'a datum of constructor 1',
    decode: decodeSchedulerDatum,
    hex: `d87a9f581c${KEY}00ff`,
    code: 'wrong-tag',
    offset: 0,
  },
  { story: 'a datum of an unknown tag', decode: decodeSchedulerDatum, hex: `d818582001`, code: 'wrong-tag', offset: 0 },
  {
    story: 'a datum of one field',
    decode: decodeSchedulerDatum,
    hex: `d87981581c${KEY}`,
    code: 'wrong-arity',
    offset: 2,
  },
  {
    story: 'an open datum of one field',
    decode: decodeSchedulerDatum,
    hex: `d8799f581c${KEY}ff`,
    code: 'wrong-arity',
    offset: 2,
  },
  {
    story: 'a datum of three fields',
    decode: decodeSchedulerDatum,
    hex: `d87983581c${KEY}0000`,
    code: 'wrong-arity',
    offset: 2,
  },
  {
    story: 'an open datum of three fields',
    decode: decodeSchedulerDatum,
    hex: `d8799f581c${KEY}0000ff`,
    code: 'wrong-arity',
    offset: 2,
  },
  {
    story: 'a key of 27 bytes',
    decode: decodeSchedulerDatum,
    hex: `d87982581b${KEY.slice(2)}00`,
    code: 'wrong-length',
    offset: 3,
  },
  { story: 'a key that is an integer', decode: decodeSchedulerDatum, hex: 'd879820000', code: 'wrong-type', offset: 3 },
  {
    story: 'a start that is bytes',
    decode: decodeSchedulerDatum,
    hex: `d87982581c${KEY}40`,
    code: 'wrong-type',
    offset: 33,
  },
  {
    story: 'a start that is a constructor',
    decode: decodeSchedulerDatum,
    hex: `d87982581c${KEY}d87980`,
    code: 'wrong-type',
    offset: 33,
  },
  {
    story: 'a start that no double holds',
    decode: decodeSchedulerDatum,
    hex: `d87982581c${KEY}1b0020000000000000`,
    code: 'out-of-range',
    offset: 33,
  },
  {
    story: 'bytes after the datum',
    decode: decodeSchedulerDatum,
    hex: `d87982581c${KEY}0000`,
    code: 'trailing-bytes',
    offset: 34,
  },
  {
    story: 'a mint redeemer of constructor 2',
    decode: decodeMintRedeemer,
    hex: 'd87b80',
    code: 'wrong-tag',
    offset: 0,
  },
  { story: 'an Init with a field', decode: decodeMintRedeemer, hex: 'd8798100', code: 'wrong-arity', offset: 2 },
  {
    story: 'an Advance of four fields',
    decode: decodeSpendRedeemer,
    hex: 'd8798400010203',
    code: 'wrong-arity',
    offset: 2,
  },
  { story: 'a Rewind of two fields', decode: decodeSpendRedeemer, hex: 'd87a9f0001ff', code: 'wrong-arity', offset: 2 },
  { story: 'a negative index', decode: decodeSpendRedeemer, hex: 'd879820020', code: 'out-of-range', offset: 4 },
  {
    story: 'a node whose key is bytes',
    decode: decodeNodeDatum,
    hex: 'd8798340d87a8000',
    code: 'wrong-type',
    offset: 3,
  },
  {
    story: 'a node whose key is constructor 2',
    decode: decodeNodeDatum,
    hex: 'd87983d87b80d87a8000',
    code: 'wrong-tag',
    offset: 3,
  },
  {
    story: 'an empty key with a field',
    decode: decodeNodeDatum,
    hex: 'd87983d87a8100d87a8000',
    code: 'wrong-arity',
    offset: 5,
  },
  {
    story: 'a node whose data is a map',
    decode: decodeNodeDatum,
    hex: 'd87983d87a80d87a80a0',
    code: 'wrong-type',
    offset: 9,
  },
];

describe('malformed bytes give a typed error with the offset', () => {
  test.each(cases)('$story: $code at $offset', ({ decode, hex, code, offset }) => {
    expect(failureOf(() => decode(bytes(hex)))).toEqual({ code, offset });
  });
});

const wholes = [
  { decode: decodeSchedulerDatum, encoded: encodeSchedulerDatum({ operator: KEY, shiftStart: 1_700_000_000_000 }) },
  { decode: decodeNodeDatum, encoded: encodeNodeDatum({ key: null, link: KEY, data: [1n, new Uint8Array(70)] }) },
  {
    decode: decodeSpendRedeemer,
    encoded: encodeSpendRedeemer({ type: 'advance', outputIndex: 300, activeNodeIndex: 1 }),
  },
  { decode: decodePlutusData, encoded: encodePlutusData({ constr: 500, fields: [2n ** 700n, [-5n]] }) },
];

test('whatever is cut off is missed, at the end of what is there', () => {
  for (const { decode, encoded } of wholes) {
    for (let length = 0; length < encoded.length; length++)
      expect(failureOf(() => decode(encoded.slice(0, length)))).toEqual({ code: 'truncated', offset: length });
  }
});

test('no bytes at all make it do anything but decode or say where they are wrong', () => {
  const random = seededRandom('bytes');
  for (let round = 0; round < 4_000; round++) {
    const { decode, encoded } = wholes[round % wholes.length]!;
    const damaged = Uint8Array.from(encoded);
    for (let each = 0; each <= random.below(3); each++) damaged[random.below(damaged.length)] = random.below(256);
    try {
      decode(damaged);
    } catch (error) {
      expect(error).toBeInstanceOf(PlutusDecodeError);
      const { offset } = (error as PlutusDecodeError).details;
      expect(offset).toBeGreaterThanOrEqual(0);
      expect(offset).toBeLessThanOrEqual(damaged.length);
    }
  }
});
