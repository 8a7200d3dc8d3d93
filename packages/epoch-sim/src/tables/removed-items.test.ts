import { expect, test } from 'vitest';
import { RemovedItems } from './removed-items.js';

test('of an item that was put again the first places do not count', () => {
  const removed = new RemovedItems();
  for (const item of [7, 3, 7]) removed.add(item);
  const copy = removed.clone();
  removed.add(5);
  const list = [3, 7, 5, 7, 3, 7];
  expect(list.filter(copy.filter())).toEqual([5, 3, 7]);
  expect(list.filter(removed.filter())).toEqual([3, 7]);
  expect([copy.total, removed.total]).toEqual([3, 4]);
});
