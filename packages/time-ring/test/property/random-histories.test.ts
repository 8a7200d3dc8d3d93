import { expect, test } from 'vitest';
import { checkHistory } from '../support/simulation/check-history.js';
import { runHistory } from '../support/simulation/run-history.js';

const HISTORIES = process.env.HORAE_LONG ? 50_000 : 2_000;
const FIRST_SEED = process.env.HORAE_SEED ?? 'ring';

test(`${HISTORIES} random histories of crashes, delays, skew, stalls and failing stores break no promise`, async () => {
  for (let i = 0; i < HISTORIES; i++) {
    const seed = `${FIRST_SEED} ${i}`;
    expect(checkHistory(await runHistory(seed)), `seed "${seed}"`).toEqual([]);
  }
});
