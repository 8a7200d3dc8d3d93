import { expect, test } from 'vitest';
import { InvalidColumns } from '../interchange/sim-errors.js';
import { simulateColumns } from './simulate-columns.js';

const good = {
  minutes: 60,
  submit: Int32Array.of(0, 5),
  duration: Int32Array.of(10, 10),
  lockOffset: Uint32Array.of(0, 1, 2),
  lock: Uint32Array.of(0, 0),
};

test('starts and ends come out in order, and what has not ended is carried', () => {
  const { type, action, t, carried } = simulateColumns({ ...good, minutes: 15 });
  expect([[...type], [...action], [...t], [...carried]]).toEqual([[0, 1, 0], [0, 0, 1], [0, 10, 10], [1]]);
});

test.each([
  { story: 'no minutes', bad: { minutes: 0 } },
  { story: 'too few durations', bad: { duration: Int32Array.of(1) } },
  { story: 'a duration of zero', bad: { duration: Int32Array.of(1, 0) } },
  { story: 'too few offsets', bad: { lockOffset: Uint32Array.of(0, 1) } },
  { story: 'offsets that go back', bad: { lockOffset: Uint32Array.of(2, 1, 2) } },
  { story: 'offsets beyond the locks', bad: { lockOffset: Uint32Array.of(0, 1, 9) } },
  { story: 'a lock number that is far too large', bad: { lock: Uint32Array.of(0, 4_000_000_000) } },
])('$story is InvalidColumns', ({ bad }) => {
  expect(() => simulateColumns({ ...good, ...bad })).toThrow(InvalidColumns);
});
