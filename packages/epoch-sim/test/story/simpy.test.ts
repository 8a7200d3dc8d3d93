import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { type EpochInput, type EpochResult, type Hooks, loadScenario, runEpoch } from '../../src/index.js';
import { findSimPy, runPython } from '../support/python.js';
import { gasStationModel, machineShopModel, movieModel, queueModel } from '../support/simpy-input.js';

const folder = new URL('../../examples/', import.meta.url);
const program = fileURLToPath(new URL('../support/simpy_models.py', import.meta.url));
/** How many events SimPy 3.0.11 gave for each model, and the digest of them all. */
const recorded = JSON.parse(readFileSync(new URL('./simpy-recorded.json', import.meta.url), 'utf8')) as Record<
  string,
  { events: number; sha256: string }
>;
const simPy = findSimPy(program);

const fromFile = (file: string) => loadScenario(readFileSync(new URL(file, folder), 'utf8'));
const fromModule = async (file: string) =>
  (await import(/* @vite-ignore */ new URL(file, folder).href)) as { scenario: EpochInput; hooks: Hooks };

/** Events as sorted lines; within a minute SimPy has no order that means anything. */
const lines = (events: readonly (readonly unknown[])[]): string[] => events.map((event) => event.join(' ')).sort();
const linesOf = ({ schedule_events }: EpochResult): string[] =>
  lines(schedule_events.map(({ t, type, action_id }) => [t, type, action_id]));
const digest = (all: readonly string[]): string => createHash('sha256').update(all.join('\n')).digest('hex');

/** Compares a result with SimPy's run of the same numbers: with the digest of its events, and with SimPy itself where there is one. */
function expectSameAsSimPy(name: string, result: EpochResult, model: object): void {
  const ours = linesOf(result);
  if (simPy !== null) {
    const printed = runPython(simPy.interpreter, program, null, JSON.stringify(model));
    expect(ours, simPy.name).toEqual(lines(JSON.parse(printed!)));
  }
  expect({ events: ours.length, sha256: digest(ours) }).toEqual(recorded[name]);
}

describe('the same numbers give the same events as in SimPy', () => {
  test('bank renege', () => {
    const scenario = fromFile('bank-renege.yaml');
    expectSameAsSimPy('bank-renege', runEpoch(scenario), queueModel(scenario, 500_000, 1));
  });

  test('carwash', () => {
    const scenario = fromFile('carwash.yaml');
    expectSameAsSimPy('carwash', runEpoch(scenario), queueModel(scenario, 20, 2));
  });

  test('event latency', () => {
    const scenario = fromFile('latency.yaml');
    const model = { model: 'latency', minutes: 100, gap: 5, delay: 10 };
    expectSameAsSimPy('latency', runEpoch(scenario), model);
  });

  test('machine shop', () => {
    const scenario = fromFile('machine-shop.yaml');
    const result = runEpoch(scenario);
    expectSameAsSimPy('machine-shop', result, machineShopModel(scenario, result, 40_320));
  });

  test('gas station', async () => {
    const { scenario, hooks } = await fromModule('gas-station.mjs');
    expectSameAsSimPy('gas-station', runEpoch(scenario, hooks), gasStationModel(scenario, 5_000));
  });

  test('movie renege', async () => {
    const { scenario, hooks } = await fromModule('movie-renege.mjs');
    expectSameAsSimPy('movie-renege', runEpoch(scenario, hooks), movieModel(scenario, 240));
  });

  test('M/M/3 and M/G/1, the first 400,000 minutes', () => {
    for (const [name, capacity] of [
      ['mm-c', 3],
      ['mg-1', 1],
    ] as const) {
      const scenario = fromFile(`${name}.yaml`);
      const short = { ...scenario, epoch: { ...scenario.epoch, end_at: 400_000 } };
      expectSameAsSimPy(name, runEpoch(short), queueModel(short, 400_000, capacity));
    }
  });
});
