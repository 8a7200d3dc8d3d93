import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import {
  type EpochResult,
  formatTimeline,
  loadScenario,
  renderGantt,
  runEpoch,
  runEpochs,
  runScenario,
  simulateColumns,
} from '../../src/index.js';
import { randomColumns } from '../support/random-columns.js';
import { isoAt, randomScenario } from '../support/random-scenario.js';

/**
 * Digests of what the first edition gave, made by it. A scenario without any of the later fields gives the same bytes for ever.
 */
const golden = JSON.parse(readFileSync(new URL('./first-edition.json', import.meta.url), 'utf8')) as {
  scenarios: string[];
  epochs: string[];
  columns: string[];
  examples: Record<string, string>;
};

const digest = (value: unknown): string =>
  createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 16);
/** Charts of several days have dates since the second edition. */
const isOneDay = ({ epoch }: EpochResult): boolean => epoch.start_at.slice(0, 10) === String(epoch.end_at).slice(0, 10);
const drawn = (results: EpochResult[]): unknown =>
  results.map((one) => [one, formatTimeline(one), isOneDay(one) ? renderGantt(one) : null]);

test('random scenarios give byte for byte what the first edition gave', () => {
  for (const [i, wanted] of golden.scenarios.entries()) {
    const { input, options } = randomScenario(`first/${i}`);
    const noisy = i % 4 === 0 ? { ...options, noise: { seed: i, percent: 30 } } : options;
    expect(digest(drawn([runEpoch(input, noisy)])), `first/${i}`).toBe(wanted);
  }
});

test('consecutive epochs and their carry-over give byte for byte what the first edition gave', () => {
  for (const [i, wanted] of golden.epochs.entries()) {
    const { input, options } = randomScenario(`first-epochs/${i}`);
    const epoch = { index: 0, start_at: isoAt(0), end_at: isoAt(25) };
    expect(digest(drawn(runEpochs({ ...input, epoch }, 3, options))), `first-epochs/${i}`).toBe(wanted);
  }
});

test('columns give byte for byte what the first edition gave', () => {
  for (const [i, wanted] of golden.columns.entries()) {
    const { type, action, t, carried } = simulateColumns(randomColumns(`first-columns/${i}`).columns);
    expect(digest([type, action, t, carried].map((column) => [...column])), `first-columns/${i}`).toBe(wanted);
  }
});

test('the example files of the first edition give byte for byte what they gave', () => {
  const folder = new URL('../../examples/', import.meta.url);
  expect(readdirSync(folder)).toEqual(expect.arrayContaining(Object.keys(golden.examples)));
  for (const [file, wanted] of Object.entries(golden.examples))
    expect(digest(drawn(runScenario(loadScenario(readFileSync(new URL(file, folder), 'utf8'))))), file).toBe(wanted);
});
