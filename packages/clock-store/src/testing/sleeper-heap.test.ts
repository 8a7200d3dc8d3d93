import { expect, test } from 'vitest';
import { type Sleeper, SleeperHeap } from './sleeper-heap.js';

const sleeper = (at: number, sequence: number): Sleeper => ({ at, sequence, index: -1, wake: () => {} });

function drain(heap: SleeperHeap): [number, number][] {
  const order: [number, number][] = [];
  for (let first = heap.first(); first !== undefined; first = heap.first()) {
    heap.remove(first);
    order.push([first.at, first.sequence]);
  }
  return order;
}

test('gives the earliest first, and of equals the one that came first', () => {
  const heap = new SleeperHeap();
  for (const [at, sequence] of [
    [5, 0],
    [3, 1],
    [5, 2],
    [1, 3],
    [3, 4],
  ] as const)
    heap.add(sleeper(at, sequence));
  expect(heap.size).toBe(5);
  expect(drain(heap)).toEqual([
    [1, 3],
    [3, 1],
    [3, 4],
    [5, 0],
    [5, 2],
  ]);
});

test('a sleeper can be taken out wherever it stands, once', () => {
  const heap = new SleeperHeap();
  const sleepers = [4, 2, 9, 7, 1].map((at, sequence) => sleeper(at, sequence));
  for (const each of sleepers) heap.add(each);
  heap.remove(sleepers[3]!);
  heap.remove(sleepers[3]!);
  heap.remove(sleepers[4]!);
  expect(drain(heap)).toEqual([
    [2, 1],
    [4, 0],
    [9, 2],
  ]);
});

test('an empty heap has no first', () => {
  expect(new SleeperHeap().first()).toBeUndefined();
});
