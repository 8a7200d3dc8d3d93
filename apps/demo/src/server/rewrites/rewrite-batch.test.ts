import { seededRandom } from 'horae/time';
import { createManualClock } from 'horae/time/testing';
import { expect, test } from 'vitest';
import { createOrderBook } from './order-book.js';
import { checkReceipt, runBatch } from './rewrite-batch.js';

const drafts = [
  { name: 'a', reads: [], writes: ['x', 'y'] },
  { name: 'b', reads: ['y'], writes: ['z'] },
  { name: 'c', reads: ['free'], writes: [] },
];

test('the first in the order of hashes is admitted, the other refused with the key between them', () => {
  const { order, reserved, conflicts } = runBatch(drafts);
  expect([reserved, conflicts]).toEqual([2, 1]);
  expect(order.map(({ hash }) => hash)).toEqual(order.map(({ hash }) => hash).toSorted());
  const refused = order.find(({ accepted }) => !accepted)!;
  expect(refused.blockers).toEqual([
    { by: refused.name === 'a' ? 'b' : 'a', key: 'y', mode: expect.stringMatching(/read|write/) },
  ]);
});

test('the order of the rows does not matter', () => {
  expect(runBatch(drafts.toReversed()).order).toEqual(runBatch(drafts).order);
});

test('every rewrite is in one wave', () => {
  const { waves } = runBatch(drafts);
  expect(waves.flat().toSorted()).toEqual(['a', 'b', 'c']);
  expect(waves.length).toBe(2);
});

test('a receipt is true for its candidates and no others', () => {
  const { bytes } = runBatch(drafts).receipt;
  expect(checkReceipt(bytes, drafts)).toEqual({ valid: true, problem: null });
  expect(checkReceipt(bytes, drafts.slice(1)).valid).toBe(false);
  const changed = Buffer.from(bytes, 'base64');
  changed[changed.length - 1]! ^= 1;
  expect(checkReceipt(changed.toString('base64'), drafts).problem).not.toBeNull();
  expect(checkReceipt('nonsense', drafts).valid).toBe(false);
});

test('the order book keeps its money, whatever is refused', () => {
  const book = createOrderBook(createManualClock({ now: 0 }), seededRandom(1), () => {});
  for (let i = 0; i < 1_200; i++) book.tick();
  const { balances, accepted, refused, ticks } = book.snapshot();
  expect(balances.reduce((sum, { amount }) => sum + amount, 0)).toBe(800);
  expect(accepted + refused).toBe(1_200 * 6);
  expect(refused).toBeGreaterThan(0);
  expect(ticks.length).toBe(12);
});
