import { expect, test } from 'vitest';
import { stateWarnings } from './state-warnings.js';

const key = (digit: string) => digit.repeat(56);
const state = (registered: { operator: string; activationTime: number }[]) => ({
  scheduler: null,
  hubOracle: false,
  active: [key('a')],
  registered,
  retired: [],
});

test.each([
  {
    story: 'nothing, when the newest comes first',
    registered: [
      { operator: key('b'), activationTime: 2 },
      { operator: key('c'), activationTime: 1 },
    ],
    warnings: [],
  },
  {
    story: 'two registrants of one activation time',
    registered: [
      { operator: key('b'), activationTime: 1 },
      { operator: key('c'), activationTime: 1 },
    ],
    warnings: ['equal-activation-times'],
  },
  {
    story: 'a queue out of order',
    registered: [
      { operator: key('b'), activationTime: 1 },
      { operator: key('c'), activationTime: 2 },
    ],
    warnings: ['queue-out-of-order'],
  },
  {
    story: 'an operator that is active and registered',
    registered: [{ operator: key('a'), activationTime: 1 }],
    warnings: ['active-and-registered'],
  },
])('warns of $story', ({ registered, warnings }) => {
  expect(stateWarnings(state(registered)).map(({ warning }) => warning)).toEqual(warnings);
});
