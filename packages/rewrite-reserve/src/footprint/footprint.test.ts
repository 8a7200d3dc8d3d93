import { describe, expect, test } from 'vitest';
import { bytes32, key, rewrite } from '../../test/support/rewrites.js';
import { createRewriteScheduler, footprint, independent, union } from '../index.js';

const ALL = (1n << 64n) - 1n;

describe('a footprint', () => {
  test('without anything is eight empty sets and a mask of all 64 bits', () => {
    expect(footprint()).toStrictEqual({
      nRead: [],
      nWrite: [],
      eRead: [],
      eWrite: [],
      aRead: [],
      aWrite: [],
      bIn: [],
      bOut: [],
      factorMask: ALL,
    });
  });

  test.each([
    { story: 'misspelt', sets: { nwrite: [key(1)] }, field: 'nwrite', nearest: 'nWrite' },
    { story: 'unknown', sets: { bInn: [key(1)] }, field: 'bInn', nearest: 'bIn' },
    {
      story: 'unknown and empty',
      sets: { nRead: [], factorMasks: undefined },
      field: 'factorMasks',
      nearest: 'factorMask',
    },
  ])('with a set of a $story name is refused, with the name and the nearest one', ({ sets, field, nearest }) => {
    expect(() => footprint(sets as never)).toThrow(
      expect.objectContaining({
        code: 'unknown-set',
        message: expect.stringContaining(`"${field}", nearest is "${nearest}"`),
        details: { field, nearest },
      }),
    );
    const scheduler = createRewriteScheduler();
    expect(() => scheduler.reserve(1, { ...rewrite(), footprint: sets as never })).toThrow(/footprint has no set/);
  });

  test('is frozen, and so are its sets and keys', () => {
    const made = footprint({ nWrite: [key(1)], bIn: [{ warp: 1, port: 1 }] });
    expect([made, made.nRead, made.nWrite, made.nWrite[0], made.bIn, made.bIn[0]].every(Object.isFrozen)).toBe(true);
  });

  test('orders ids: numbers, then bytes, then texts; each by value', () => {
    const ordered = [
      0,
      2,
      10,
      0xffffffff,
      bytes32(0, 1),
      bytes32(1),
      bytes32(128),
      bytes32(255),
      '',
      '10',
      '2',
      'B',
      'a',
      'é',
    ];
    const made = footprint({ nRead: ordered.toReversed().map((id) => key(id)) });
    expect(made.nRead.map(({ id }) => id)).toEqual(ordered);
  });

  test('orders by warp before id', () => {
    const made = footprint({ eRead: [key(1, 'w'), key(2, bytes32(9)), key(3, 5), key(1, 5)] });
    expect(made.eRead).toEqual([key(1, 5), key(3, 5), key(2, bytes32(9)), key(1, 'w')]);
  });

  test('orders attachments by owner, warp, id, plane', () => {
    const attachment = (owner: 'node' | 'edge', warp: number, id: number, plane: 'alpha' | 'beta') => ({
      owner,
      warp,
      id,
      plane,
    });
    const ordered = [
      attachment('node', 1, 1, 'alpha'),
      attachment('node', 1, 1, 'beta'),
      attachment('node', 1, 2, 'alpha'),
      attachment('node', 2, 0, 'alpha'),
      attachment('edge', 1, 1, 'alpha'),
      attachment('edge', 1, 1, 'beta'),
    ];
    expect(footprint({ aRead: ordered.toReversed() }).aRead).toEqual(ordered);
  });

  test('drops duplicates by value, not by identity', () => {
    const made = footprint({ nWrite: [key(bytes32(7)), key('x'), key(bytes32(7)), key('x')] });
    expect(made.nWrite).toEqual([key(bytes32(7)), key('x')]);
  });

  test('keeps 7, "7" and 32 bytes apart', () => {
    expect(footprint({ nRead: [key('7'), key(7), key(bytes32(7))] }).nRead).toHaveLength(3);
  });

  test('takes 5 and 5n as the same port and gives back a bigint', () => {
    expect(
      footprint({
        bIn: [
          { warp: 1, port: 5n },
          { warp: 1, port: 5 },
        ],
      }).bIn,
    ).toEqual([{ warp: 1, port: 5n }]);
  });

  test('orders ports as unsigned 64-bit numbers', () => {
    const ports = [0n, 9n, 10n, 2n ** 32n, 2n ** 63n, 2n ** 64n - 1n];
    expect(
      footprint({ bOut: ports.toReversed().map((port) => ({ warp: 1, port })) }).bOut.map(({ port }) => port),
    ).toEqual(ports);
  });

  test('takes any iterable', () => {
    expect(footprint({ nRead: new Set([key(2), key(1)]) }).nRead).toEqual([key(1), key(2)]);
  });

  test('does not change when the buffer of a key is reused', () => {
    const id = bytes32(1);
    const warp = bytes32(2);
    const reused = function* () {
      yield { warp, id };
      warp[0] = 3;
      yield { warp, id };
    };
    const made = footprint({ nWrite: reused() });
    id[0] = 9;
    expect(made.nWrite).toEqual([key(bytes32(1), bytes32(2)), key(bytes32(1), bytes32(3))]);
  });

  test.each([
    ['a negative number', -1],
    ['a fraction', 1.5],
    ['2^32', 2 ** 32],
    ['31 bytes', new Uint8Array(31)],
    ['33 bytes', new Uint8Array(33)],
    ['nothing', undefined],
    ['null', null],
    ['a bigint', 1n],
    ['an object', {}],
  ])('refuses %s as an id', (_, id) => {
    expect(() => footprint({ nRead: [key(id as never)] })).toThrow(expect.objectContaining({ code: 'bad-key' }));
    expect(() => footprint({ nRead: [{ warp: id as never, id: 1 }] })).toThrow(
      expect.objectContaining({ code: 'bad-key' }),
    );
  });

  test.each([[-1], [1.5], [2 ** 53], [-1n], [2n ** 64n], ['1'], [undefined]])('refuses %s as a port', (port) => {
    expect(() => footprint({ bIn: [{ warp: 1, port: port as never }] })).toThrow(
      expect.objectContaining({ code: 'bad-key', details: expect.objectContaining({ field: 'bIn.port' }) }),
    );
  });

  test.each([
    ['an owner', { owner: 'port', plane: 'alpha' }],
    ['a plane', { owner: 'node', plane: 'gamma' }],
  ])('refuses %s it does not know', (_, wrong) => {
    expect(() => footprint({ aRead: [{ warp: 1, id: 1, ...wrong } as never] })).toThrow(
      expect.objectContaining({ code: 'bad-key' }),
    );
  });

  test.each([[5], ['text'], [null]])('refuses %s as a set', (set) => {
    expect(() => footprint({ nRead: set as never })).toThrow(expect.objectContaining({ code: 'bad-key' }));
  });

  test.each([[-1n], [1n << 64n], [1], ['1']])('refuses %s as a mask', (factorMask) => {
    expect(() => footprint({ factorMask: factorMask as never })).toThrow(expect.objectContaining({ code: 'bad-mask' }));
  });
});

describe('union', () => {
  test('unites the sets in order and ORs the masks', () => {
    const united = union(
      footprint({ nRead: [key(3), key(1)], bIn: [{ warp: 1, port: 1 }], factorMask: 1n }),
      footprint({ nRead: [key(2), key(3)], eWrite: [key(9)], factorMask: 4n }),
    );
    expect(united.nRead).toEqual([key(1), key(2), key(3)]);
    expect(united.eWrite).toEqual([key(9)]);
    expect(united.bIn).toEqual([{ warp: 1, port: 1n }]);
    expect(united.factorMask).toBe(5n);
    expect(Object.isFrozen(united) && Object.isFrozen(united.nRead)).toBe(true);
  });
});

describe('independent', () => {
  const writes = (factorMask: bigint) => footprint({ nWrite: [key(1)], factorMask });

  test('takes masks without a common bit as a promise', () => {
    expect(independent(writes(1n), writes(2n))).toBe(true);
    expect(independent(writes(3n), writes(2n))).toBe(false);
  });

  test('says no to a write against itself and yes to a read against itself', () => {
    const reads = footprint({ nRead: [key(1)] });
    expect(independent(writes(1n), writes(1n))).toBe(false);
    expect(independent(reads, reads)).toBe(true);
  });
});

test('a footprint that footprint() has not made is read anew each time', () => {
  const sets = { ...footprint(), nWrite: [key(2), key(1)] };
  const scheduler = createRewriteScheduler();
  expect(scheduler.reserve(1, rewrite({}, { footprint: sets }))).toBe(true);
  expect(scheduler.reserve(1, rewrite({ nRead: [key(1)] }))).toBe(false);
  sets.nWrite = [key(3)];
  expect(scheduler.reserve(1, rewrite({}, { footprint: sets }))).toBe(true);
  expect(scheduler.reserve(1, rewrite({ nRead: [key(3)] }))).toBe(false);
});
