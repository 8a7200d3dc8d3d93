import { seededRandom } from '@horae/clock-store';
import { describe, expect, test } from 'vitest';
import { checkCommutes, type PendingRewrite } from '../../src/index.js';
import { rewrite } from '../support/rewrites.js';

const many = (count: number) => Array.from({ length: count }, (_, at) => rewrite({}, { compactRule: at }));
const rules = (order: readonly PendingRewrite[]) => order.map(({ compactRule }) => compactRule);

describe('checkCommutes', () => {
  test('tries the given order, its reverse and random ones, and finds nothing in what commutes', async () => {
    const accepted = many(20);
    const seen: string[] = [];
    const apply = (order: readonly PendingRewrite[]) => {
      seen.push(rules(order).join());
      return String(rules(order).reduce((sum, rule) => sum + rule, 0));
    };
    const verdict = await checkCommutes(accepted, apply, { orders: 10, random: seededRandom('commutes') });
    expect(verdict).toEqual({ commutes: true, orders: 12 });
    expect(seen).toHaveLength(12);
    expect(seen[0]).toBe(rules(accepted).join());
    expect(seen[1]).toBe(rules(accepted.toReversed()).join());
    expect(new Set(seen).size).toBe(12);
  });

  test.each([
    [0, 1],
    [3, 4],
    [2, 29],
    [0, 29],
    [28, 29],
    [17, 9],
  ])('finds the planted pair %i and %i among thirty', async (one, two) => {
    const accepted = many(30);
    let runs = 0;
    const apply = async (order: readonly PendingRewrite[]) => {
      runs += 1;
      const list = rules(order);
      return Uint8Array.of(list.indexOf(one) < list.indexOf(two) ? 1 : 0);
    };
    const verdict = await checkCommutes(accepted, apply, { orders: 5, random: seededRandom(1) });
    if (verdict.commutes) throw new Error('the planted fault was not found');
    expect(rules(verdict.pair).sort((a, b) => a - b)).toEqual([one, two].sort((a, b) => a - b));
    const at = verdict.order.indexOf(verdict.pair[0]);
    expect(verdict.order[at + 1]).toBe(verdict.pair[1]);
    const swapped = verdict.order.with(at, verdict.pair[1]).with(at + 1, verdict.pair[0]);
    expect(await apply(swapped)).not.toEqual(await apply(verdict.order));
    expect(runs).toBeLessThan(20);
  });

  test('a fault that needs three in a certain order is still told as a swap of two neighbours', async () => {
    const accepted = many(12);
    const apply = (order: readonly PendingRewrite[]) => {
      const list = rules(order);
      return list.indexOf(7) < list.indexOf(3) && list.indexOf(3) < list.indexOf(5) ? 'odd' : 'usual';
    };
    const verdict = await checkCommutes(accepted, apply, { orders: 200, random: seededRandom(2) });
    if (verdict.commutes) throw new Error('the planted fault was not found');
    const at = verdict.order.indexOf(verdict.pair[0]);
    const swapped = verdict.order.with(at, verdict.pair[1]).with(at + 1, verdict.pair[0]);
    expect(new Set([apply(verdict.order), apply(swapped)])).toEqual(new Set(['odd', 'usual']));
  });

  test('nothing and a single rewrite commute', async () => {
    for (const count of [0, 1]) {
      const verdict = await checkCommutes(many(count), () => 'same', { orders: 0, random: seededRandom(1) });
      expect(verdict).toEqual({ commutes: true, orders: 2 });
    }
  });

  test('an apply that does not repeat itself is told apart from a pair', async () => {
    let calls = 0;
    const check = checkCommutes(many(1), () => String(calls++), { orders: 1, random: seededRandom(1) });
    await expect(check).rejects.toMatchObject({ code: 'bad-argument' });
  });

  test.each([[-1], [1.5], [Number.NaN]])('%s orders are refused', async (orders) => {
    await expect(checkCommutes([], () => '', { orders, random: seededRandom(1) })).rejects.toMatchObject({
      code: 'bad-argument',
    });
  });
});
