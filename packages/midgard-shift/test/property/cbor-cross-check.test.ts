import { Cbor, CborArray, CborNegInt, CborUInt } from '@harmoniclabs/cbor';
import { type Data, DataB, DataConstr, DataI, DataList, dataFromCbor, dataToCbor } from '@harmoniclabs/plutus-data';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  decodeElementDatum,
  decodeNodeDatum,
  decodePlutusData,
  decodeSchedulerDatum,
  decodeSpendRedeemer,
  encodeElementDatum,
  encodeNodeDatum,
  encodePlutusData,
  encodeSchedulerDatum,
  encodeSpendRedeemer,
  type PlutusConstr,
  type PlutusData,
} from '../../src/index.js';

const integers = fc.oneof(
  fc.bigInt({ min: -(2n ** 64n), max: 2n ** 64n - 1n }),
  fc.constantFrom(0n, 23n, 24n, 255n, 256n, 65_535n, 65_536n, 2n ** 32n, 2n ** 64n - 1n, -(2n ** 64n), -1n, -24n, -25n),
);
const bytes = fc.oneof(
  fc.uint8Array({ maxLength: 40 }),
  fc.uint8Array({ minLength: 60, maxLength: 200 }),
  fc.constantFrom(63, 64, 65, 128, 129).map((length) => new Uint8Array(length).fill(7)),
);
const constrNumbers = fc.oneof(
  fc.integer({ min: 0, max: 200 }),
  fc.constantFrom(6, 7, 101, 102, 103, 127, 128, 10_000),
);
const { data } = fc.letrec<{ data: PlutusData }>((tie) => ({
  data: fc.oneof(
    { maxDepth: 4, depthSize: 'small' },
    integers,
    bytes,
    fc.array(tie('data'), { maxLength: 5 }),
    fc.record({ constr: constrNumbers, fields: fc.array(tie('data'), { maxLength: 5 }) }),
  ),
}));

/** The other library writes these one byte longer than needed (-24 as 38 17), so only their values are compared. */
const atHeadBoundary = new Set([-24n, -256n, -65_536n, -(2n ** 32n)]);
const { shortest } = fc.letrec<{ shortest: PlutusData }>((tie) => ({
  shortest: fc.oneof(
    { maxDepth: 4, depthSize: 'small' },
    integers.filter((value) => !atHeadBoundary.has(value)),
    bytes,
    fc.array(tie('shortest'), { maxLength: 5 }),
    fc.record({ constr: constrNumbers, fields: fc.array(tie('shortest'), { maxLength: 5 }) }),
  ),
}));

function theirs(value: PlutusData): Data {
  if (typeof value === 'bigint') return new DataI(value);
  if (value instanceof Uint8Array) return new DataB(value);
  if (Array.isArray(value)) return new DataList(value.map(theirs));
  const { constr, fields } = value as PlutusConstr;
  return new DataConstr(constr, fields.map(theirs));
}

function ours(value: Data): PlutusData {
  if (value instanceof DataI) return value.int;
  if (value instanceof DataB) return Uint8Array.from(value.bytes);
  if (value instanceof DataList) return value.list.map(ours);
  if (value instanceof DataConstr) return { constr: Number(value.constr), fields: value.fields.map(ours) };
  throw new Error('a map');
}

const hex = (encoded: Uint8Array) => Buffer.from(encoded).toString('hex');
const theirBytes = (value: PlutusData) => dataToCbor(theirs(value));

describe('beside an independent library', () => {
  test('both write the same bytes', () => {
    fc.assert(
      fc.property(shortest, (value) => {
        expect(hex(encodePlutusData(value))).toBe(hex(theirBytes(value)));
      }),
      { numRuns: 600 },
    );
  });

  test('each reads what the other writes', () => {
    fc.assert(
      fc.property(data, (value) => {
        expect(decodePlutusData(theirBytes(value))).toEqual(value);
        expect(ours(dataFromCbor(encodePlutusData(value)))).toEqual(value);
        expect(ours(dataFromCbor(encodePlutusData(value, { arrays: 'definite' })))).toEqual(value);
      }),
      { numRuns: 600 },
    );
  });

  test('datums and redeemers are the constructors they should be', () => {
    const keys = fc.uint8Array({ minLength: 28, maxLength: 28 });
    const numbers = fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER });
    fc.assert(
      fc.property(keys, numbers, keys, shortest, (key, number, link, inside) => {
        const datum = { operator: hex(key), shiftStart: number };
        const constr = (n: number, fields: Data[]) => dataToCbor(new DataConstr(n, fields));
        const asData = constr(0, [new DataB(key), new DataI(number)]);
        expect(hex(encodeSchedulerDatum(datum))).toBe(hex(asData));
        expect(decodeSchedulerDatum(asData)).toEqual(datum);

        const node = { key: hex(key), link: number % 2 === 0 ? null : hex(link), data: inside };
        const linkData = node.link === null ? new DataConstr(1, []) : new DataConstr(0, [new DataB(link)]);
        const nodeData = constr(0, [new DataConstr(0, [new DataB(key)]), linkData, theirs(inside)]);
        expect(hex(encodeNodeDatum(node))).toBe(hex(nodeData));
        expect(decodeNodeDatum(nodeData)).toEqual(node);

        const redeemer = {
          type: 'rewind' as const,
          outputIndex: number,
          activeNodeIndex: 1,
          activeRootIndex: 2,
          registeredNodeIndex: 3,
        };
        const redeemerData = constr(
          1,
          [number, 1, 2, 3].map((each) => new DataI(each)),
        );
        expect(hex(encodeSpendRedeemer(redeemer))).toBe(hex(redeemerData));
        expect(decodeSpendRedeemer(redeemerData)).toEqual(redeemer);
      }),
      { numRuns: 200 },
    );
  });
});

describe('edition 2026-05 beside an independent library', () => {
  const constr = (n: number, fields: Data[]) => new DataConstr(n, fields);
  const edition = '2026-05' as const;

  test('redeemers have the input index first', () => {
    const index = fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER });
    fc.assert(
      fc.property(fc.array(index, { minLength: 5, maxLength: 5 }), (indices) => {
        const [inputIndex, outputIndex, activeNodeIndex, activeRootIndex, registeredNodeIndex] = indices as [
          number,
          number,
          number,
          number,
          number,
        ];
        const advance = { type: 'advance' as const, inputIndex, outputIndex, activeNodeIndex };
        const rewind = { ...advance, type: 'rewind' as const, activeRootIndex, registeredNodeIndex };
        const advanceData = dataToCbor(
          constr(
            0,
            indices.slice(0, 3).map((each) => new DataI(each)),
          ),
        );
        const rewindData = dataToCbor(
          constr(
            1,
            indices.map((each) => new DataI(each)),
          ),
        );
        expect(hex(encodeSpendRedeemer(advance, { edition }))).toBe(hex(advanceData));
        expect(hex(encodeSpendRedeemer(rewind, { edition }))).toBe(hex(rewindData));
        expect(decodeSpendRedeemer(advanceData, { edition })).toEqual(advance);
        expect(decodeSpendRedeemer(rewindData, { edition })).toEqual(rewind);
      }),
      { numRuns: 200 },
    );
  });

  test('list elements are root or node with an optional link', () => {
    const links = fc.option(fc.uint8Array({ maxLength: 40 }));
    fc.assert(
      fc.property(fc.constantFrom('root' as const, 'node' as const), shortest, links, (element, inside, link) => {
        const value = { element, data: inside, link: link === null ? null : hex(link) };
        const linkData = link === null ? constr(1, []) : constr(0, [new DataB(link)]);
        const content = constr(element === 'root' ? 0 : 1, [theirs(inside)]);
        const elementData = dataToCbor(constr(0, [content, linkData]));
        expect(hex(encodeElementDatum(value))).toBe(hex(elementData));
        expect(hex(encodeElementDatum(value, { edition }))).toBe(hex(elementData));
        expect(decodeElementDatum(elementData, { edition })).toEqual(value);
      }),
      { numRuns: 200 },
    );
  });
});

test('integers of any size are big numbers, in chunks when they are long, as a general CBOR library reads them', () => {
  const huge = fc.bigInt({ min: -(2n ** 1_500n), max: 2n ** 1_500n });
  fc.assert(
    fc.property(fc.oneof(huge, fc.constantFrom(2n ** 64n, -(2n ** 64n) - 1n, 2n ** 512n - 1n, 2n ** 512n)), (value) => {
      const encoded = encodePlutusData(value);
      expect(decodePlutusData(encoded)).toBe(value);
      if (value >= -(2n ** 64n) && value < 2n ** 64n) return;
      const parsed = Cbor.parse(encoded);
      if (!(parsed instanceof CborUInt || parsed instanceof CborNegInt)) throw new Error('not an integer');
      expect(parsed.num).toBe(value);
    }),
    { numRuns: 300 },
  );
});

test('definite and indefinite arrays are what a general CBOR library calls them', () => {
  fc.assert(
    fc.property(fc.array(integers, { minLength: 1, maxLength: 30 }), (items) => {
      for (const arrays of ['definite', 'indefinite'] as const) {
        const parsed = Cbor.parse(encodePlutusData(items, { arrays }));
        if (!(parsed instanceof CborArray)) throw new Error('not an array');
        expect(parsed.array.length).toBe(items.length);
        expect(parsed.indefinite).toBe(arrays === 'indefinite');
      }
    }),
    { numRuns: 100 },
  );
});
