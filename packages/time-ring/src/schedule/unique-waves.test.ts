import { expect, test } from 'vitest';
import { uniqueWaves } from './unique-waves.js';

test.each([
  { story: 'nothing', items: [], waves: [] },
  { story: 'different ids', items: [3, 1, 2], waves: [[3, 1, 2]] },
  { story: 'an id three times', items: [1, 2, 1, 1, 2], waves: [[1, 2], [1, 2], [1]] },
])('$story: each id once a wave, in order', ({ items, waves }) => {
  expect(uniqueWaves<number>(items, (id) => id)).toEqual(waves);
});
