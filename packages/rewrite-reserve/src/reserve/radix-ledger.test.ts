import { describe, expect, test } from 'vitest';
import { key, rewrite } from '../../test/support/rewrites.js';
import type { CanonicalFootprint } from '../footprint/sealed-footprint.js';
import { KeyInterner } from '../intern/interner.js';
import { RadixLedger } from './radix-ledger.js';

/** Stamps that count every access to them: the work of a ledger in operations, not in nanoseconds. */
function countingLedger(allHolders = false) {
  const counted = { operations: 0 };
  const allocate = (words: number): Uint32Array =>
    new Proxy(new Uint32Array(words), {
      get(target, property) {
        const isIndex = typeof property === 'string' && /^\d+$/.test(property);
        if (isIndex) counted.operations += 1;
        const value: unknown = Reflect.get(target, property);
        return typeof value === 'function' ? value.bind(target) : value;
      },
      set(target, property, value) {
        counted.operations += 1;
        return Reflect.set(target, property, value);
      },
    });
  const interner = new KeyInterner();
  const ledger = new RadixLedger(interner, { allHolders, allocate });
  const hold = (pending: ReturnType<typeof rewrite>) => ledger.hold(pending, pending.footprint as CanonicalFootprint);
  /** Knows the keys beforehand, so that growing the stamps is not counted. */
  const know = (pending: ReturnType<typeof rewrite>) => {
    ledger.blockers(pending.footprint as CanonicalFootprint, true);
    return pending;
  };
  const cost = (work: () => unknown) => {
    const before = counted.operations;
    work();
    return counted.operations - before;
  };
  return { ledger, hold, know, cost };
}

const writes = (from: number, count: number) =>
  rewrite({ nWrite: Array.from({ length: count }, (_, at) => key(from + at)) });

describe('reserve_scaling_is_linear_in_footprint_size', () => {
  test('an accepted rewrite of m keys costs one load and one store per key: O(m)', () => {
    const { hold, know, cost } = countingLedger();
    for (const size of [0, 1, 4, 16, 64, 256]) {
      const candidate = know(writes(size * 1000, size));
      expect(cost(() => hold(candidate))).toBe(2 * size);
    }
  });

  test('the cost does not depend on the number k of rewrites admitted before', () => {
    const { hold, know, cost } = countingLedger();
    const candidates = [0, 10, 100, 1000, 10_000].map((held) => ({
      held,
      candidate: know(writes(1_000_000 + held * 16, 16)),
    }));
    let admitted = 0;
    for (const { held, candidate } of candidates) {
      for (; admitted < held; admitted++) hold(writes(admitted * 4, 4));
      know(candidate);
      expect(cost(() => hold(candidate))).toBe(32);
      admitted += 1;
    }
  });

  test('a refusal ends at the first conflict', () => {
    const { hold, know, cost } = countingLedger();
    hold(know(writes(5, 1)));
    const candidate = know(writes(5, 100));
    expect(cost(() => hold(candidate))).toBe(1);
  });
});

test('finalizing costs no access at all, however much is held', () => {
  const { ledger, hold, cost } = countingLedger(true);
  for (let at = 0; at < 1000; at++) hold(writes(at * 4, 4));
  expect(cost(() => ledger.clear())).toBe(0);
  expect(hold(writes(0, 4000))).toBe(true);
});

test('an explanation with all blockers costs the same among 10 and among 5,000 admitted rewrites', () => {
  const costs = [10, 5000].map((admitted) => {
    const { ledger, hold, know, cost } = countingLedger(true);
    for (let at = 0; at < admitted; at++) hold(writes(at * 4, 4));
    const candidate = know(writes(2, 8));
    return cost(() => ledger.blockers(candidate.footprint as CanonicalFootprint, false));
  });
  expect(costs[0]).toBeGreaterThan(0);
  expect(costs[1]).toBe(costs[0]);
});

test('tickets start again before they run out, and nothing of the past shines through', () => {
  const ledger = new RadixLedger(new KeyInterner(), { allHolders: true, maxTickets: 10 });
  for (let round = 0; round < 25; round++) {
    const first = rewrite({ nWrite: [key(1)] });
    const second = rewrite({ nRead: [key(2)] });
    const third = rewrite({ nWrite: [key(2)] });
    expect(ledger.hold(first, first.footprint as CanonicalFootprint)).toBe(true);
    expect(ledger.hold(second, second.footprint as CanonicalFootprint)).toBe(true);
    expect(ledger.hold(third, third.footprint as CanonicalFootprint)).toBe(false);
    expect(ledger.blockers(third.footprint as CanonicalFootprint, false).map(({ blockedBy }) => blockedBy)).toEqual([
      second,
    ]);
    ledger.clear();
  }
});
