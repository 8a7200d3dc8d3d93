import { expect, test } from 'vitest';
import { LockSets } from './lock-sets.js';

const listed = (sets: LockSets, set: number) =>
  Array.from({ length: sets.end(set) - sets.start(set) }, (_, i) => sets.lock(sets.start(set) + i));

test('lists come back as they were added, empty ones too, and a copy goes its own way', () => {
  const sets = new LockSets();
  const lists = [[], [3], [1, 4, 1], [], [5, 9, 2, 6]];
  for (const list of lists) sets.add(list);
  const copy = sets.clone();
  copy.add([7]);
  sets.add([8]);
  expect(lists.map((_, set) => listed(copy, set))).toEqual(lists);
  expect([listed(copy, 5), listed(sets, 5)]).toEqual([[7], [8]]);
});
