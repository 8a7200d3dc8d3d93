import { expect, test } from 'vitest';
import { closestTo } from './closest-name.js';

const names = ['cron', 'tasks', 'ring', 'completion', 'zone', 'dialect'];

test.each([
  { typed: 'corn', meant: 'cron', story: 'swapped letters' },
  { typed: 'taks', meant: 'tasks', story: 'a letter left out' },
  { typed: 'ringg', meant: 'ring', story: 'a letter too many' },
  { typed: 'zome', meant: 'zone', story: 'a wrong letter' },
  { typed: 'DIALECT', meant: 'dialect', story: 'capitals' },
  { typed: 'comp', meant: 'completion', story: 'a beginning' },
  { typed: 'xyzzy', meant: undefined, story: 'nothing near' },
  { typed: '', meant: undefined, story: 'nothing' },
])('$typed: $story', ({ typed, meant }) => {
  expect(closestTo(typed, names)).toBe(meant);
});
