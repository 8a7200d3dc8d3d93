import { expect, test } from 'vitest';
import { runEpoch, simulateColumns } from '../../src/index.js';
import { compareColumns } from '../support/compare-columns.js';

const rounds = process.env.HORAE_LONG ? 5_000 : 400;
const seed = process.env.HORAE_SEED ?? 'columns';

test('closed form, event-driven engine and minute-stepping model give the same events in the same order', () => {
  for (let i = 0; i < rounds; i++) {
    const story = `${seed}/${i}`;
    const { closedForm, engine, model } = compareColumns({ simulateColumns, runEpoch }, story);
    expect(closedForm, story).toEqual(engine);
    expect(engine.events, story).toEqual(model);
  }
});
