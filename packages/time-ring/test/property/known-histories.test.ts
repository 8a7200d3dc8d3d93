import { expect, test } from 'vitest';
import { checkHistory } from '../support/simulation/check-history.js';
import { runHistory } from '../support/simulation/run-history.js';

// Each of these seeds once broke a promise; what they show is also a story or a unit test of its own.
test.each([
  { seed: 'engine 601', story: 'a slow answer about the time makes no run early' },
  { seed: 'engine 985', story: 'a run that nobody is idle for is not taken and let wait again without end' },
  { seed: 'engine 1203', story: 'what was handed over stays when the job of it cannot be read' },
  { seed: 'engine 2466', story: 'a waiting run of a removed job is over' },
  { seed: 'engine 2683', story: 'a waiting run stays when the answer to its taking is lost' },
  { seed: 'engine 2925', story: 'a misfire that waits for a slot of a removed job is over' },
])('$story ($seed)', async ({ seed }) => {
  expect(checkHistory(await runHistory(seed))).toEqual([]);
});
