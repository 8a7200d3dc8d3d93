import { seededRandom } from '@horae/clock-store';
import { expect, test } from 'vitest';
import { DueHeap, type HeapEntry } from './due-heap.js';

const entry = (lookAt: number, order: number): HeapEntry => ({ lookAt, order, heapIndex: -1 });

test('entries come out by time, then by order, whatever order they went in and whichever are removed', () => {
  const random = seededRandom('heap');
  const heap = new DueHeap<HeapEntry>();
  const kept: HeapEntry[] = [];
  for (let i = 0; i < 5_000; i++) {
    if (kept.length > 0 && random.below(5) === 0) {
      const [removed] = kept.splice(random.below(kept.length), 1);
      heap.remove(removed!);
      expect(removed!.heapIndex).toBe(-1);
    } else if (kept.length > 0 && random.below(3) === 0) {
      kept.sort((a, b) => a.lookAt - b.lookAt || a.order - b.order);
      expect(heap.pop()).toBe(kept.shift());
    } else {
      const added = entry(random.below(50), i);
      kept.push(added);
      heap.push(added);
    }
    expect(heap.size).toBe(kept.length);
  }
  kept.sort((a, b) => a.lookAt - b.lookAt || a.order - b.order);
  expect(kept.map(() => heap.pop())).toEqual(kept);
  expect(heap.pop()).toBeUndefined();
});

test('looking at what is next changes nothing, and clearing forgets everything', () => {
  const heap = new DueHeap<HeapEntry>();
  expect(heap.peek()).toBeUndefined();
  const only = entry(Number.NEGATIVE_INFINITY, 0);
  heap.push(entry(5, 1));
  heap.push(only);
  expect(heap.peek()).toBe(only);
  heap.clear();
  expect([heap.size, only.heapIndex]).toEqual([0, -1]);
});
