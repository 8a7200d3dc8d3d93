import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import {
  type EpochInput,
  type EpochResult,
  type Hooks,
  loadScenario,
  renderGantt,
  renderReport,
  replicate,
  runEpoch,
  runScenario,
  summarize,
} from '../../src/index.js';

const folder = new URL('../../examples/', import.meta.url);
const scenarioOf = (file: string) => loadScenario(readFileSync(new URL(file, folder), 'utf8'));
const run = (file: string): EpochResult => runScenario(scenarioOf(file))[0]!;
const moduleOf = (file: string) =>
  import(/* @vite-ignore */ new URL(file, folder).href) as Promise<{ scenario: EpochInput; hooks: Hooks }>;
const lines = ({ schedule_events }: EpochResult): string[] =>
  schedule_events.map(({ type, action_id, t }) => `${t} ${type} ${action_id}`);

describe("SimPy's tutorial models", () => {
  test('bank renege: the events of the run that SimPy publishes', () => {
    const result = run('bank-renege.yaml');
    expect(lines(result)).toEqual([
      '0 start Customer00',
      '38595 end Customer00',
      '102006 start Customer01',
      '139003 cancel Customer02',
      '237507 end Customer01',
      '349993 start Customer03',
      '379599 end Customer03',
      '404798 start Customer04',
      '431401 end Customer04',
    ]);
    expect(result.schedule_events[3]!.meta).toEqual({ reason: 'patience' });
  });

  test('carwash: two cars at a time, in the order of their arrival', () => {
    expect(lines(run('carwash.yaml'))).toEqual([
      ...['0 start Car 0', '0 start Car 1', '5 end Car 0', '5 end Car 1', '5 start Car 2', '5 start Car 3'],
      ...['10 end Car 2', '10 end Car 3', '10 start Late car 1', '10 start Late car 2'],
      ...['15 end Late car 1', '15 end Late car 2', '15 start Late car 3', '20 end Late car 3'],
    ]);
  });

  test('latency: every message arrives ten minutes after it was sent', () => {
    const { schedule_events } = run('latency.yaml');
    const sent = schedule_events.filter(({ type }) => type === 'start').map(({ t }) => t);
    const received = schedule_events.filter(({ type }) => type === 'visibility_change').map(({ t }) => t);
    expect(sent).toEqual(Array.from({ length: 19 }, (_, i) => 5 * (i + 1)));
    expect(received).toEqual(sent.slice(0, 18).map((t) => t + 10));
  });

  test('machine shop: each machine makes about 3,200 parts in four weeks, as in SimPy', () => {
    const { verbs, locks } = summarize(run('machine-shop.yaml'));
    for (let i = 0; i < 10; i++) {
      expect(verbs[`part ${i}`]!.ended).toBeGreaterThan(2_800);
      expect(verbs[`part ${i}`]!.ended).toBeLessThan(3_500);
      expect(locks[`machine ${i}`]!.down_min).toBeGreaterThan(2_000);
    }
    expect(verbs['other job']!.ended).toBeGreaterThan(0);
    expect(locks.repairman!.utilisation).toBeGreaterThan(0.9);
  });

  test('gas station: the truck comes when the tank runs low, and nobody drives away empty', async () => {
    const { scenario, hooks } = await moduleOf('gas-station.mjs');
    const result = runEpoch(scenario, hooks);
    const { resources, verbs } = summarize(result);
    expect(resources.fuel!.min).toBeGreaterThanOrEqual(0);
    expect(resources.fuel!.max).toBe(200);
    expect(verbs.deliver!.ended).toBeGreaterThan(1);
    expect(result.rejections).toEqual([]);
    expect(Math.max(...[25, 35, 45].map((size) => verbs[`refuel ${size}`]!.wait.max ?? 0))).toBeGreaterThan(100);
  });

  test('movie renege: nobody waits for a movie that is sold out, and no ticket is sold twice', async () => {
    const { scenario, hooks } = await moduleOf('movie-renege.mjs');
    const result = runEpoch(scenario, hooks);
    const reasons = new Set(
      result.schedule_events.filter(({ type }) => type === 'cancel').map(({ meta }) => meta.reason),
    );
    expect(reasons).toEqual(new Set(['sold out', 'too few left', 'patience']));
    for (const movie of Object.keys(scenario.resources!)) {
      expect(result.resources[movie]!.stock).toBeLessThan(2);
      expect(result.resources[movie]!.stock).toBeGreaterThanOrEqual(0);
    }
    expect(result.locks.counter!.queue).toEqual([]);
  });
});

describe('theory', () => {
  const within = (value: number, wanted: number, percent: number): void => {
    expect(Math.abs(value / wanted - 1), `${value} instead of ${wanted}`).toBeLessThan(percent / 100);
  };

  test('M/M/3: the mean wait is that of Erlang, within the interval of 12 runs', { timeout: 60_000 }, async () => {
    const [load, servers, service] = [2.5, 3, 1_000];
    const terms = [0, 1, 2].map((k) => load ** k / [1, 1, 2][k]!);
    const last = (load ** servers / 6) * (servers / (servers - load));
    const wait = ((last / (terms.reduce((a, b) => a + b) + last)) * service) / (servers - load);
    expect(Math.round(wait)).toBe(1_404);
    const { estimates } = await replicate(scenarioOf('mm-c.yaml'), { runs: 12, seed: 1, warm_up_min: 100_000 });
    const { mean, low, high } = estimates['verbs.serve.wait.mean']!;
    within(mean, wait, 10);
    expect(low).toBeLessThan(wait * 1.02);
    expect(high).toBeGreaterThan(wait * 0.98);
    within(estimates['locks.server.utilisation']!.mean, load / servers, 2);
    // Little's law ties the queue to the wait.
    within(estimates['locks.server.queue_mean']!.mean, mean / 400, 5);
  });

  test('M/G/1: the mean wait is that of Pollaczek and Khinchine', { timeout: 60_000 }, async () => {
    const [rate, mean, second] = [1 / 700, 500, 500 ** 2 + 800 ** 2 / 12];
    const wait = (rate * second) / (2 * (1 - rate * mean));
    expect(Math.round(wait)).toBe(758);
    const { estimates } = await replicate(scenarioOf('mg-1.yaml'), { runs: 12, seed: 1, warm_up_min: 100_000 });
    within(estimates['verbs.serve.wait.mean']!.mean, wait, 8);
    within(estimates['locks.server.utilisation']!.mean, rate * mean, 2);
  });
});

test.each([
  ['ft06.json', 55, 36],
  ['la01.json', 666, 50],
])('%s ends at its known optimum, minute %i', (file, optimum, steps) => {
  const result = run(file);
  const ends = result.schedule_events.filter(({ type }) => type === 'end');
  expect(ends).toHaveLength(steps);
  expect(Math.max(...ends.map(({ t }) => t))).toBe(optimum);
  expect(renderReport(result, { title: file })).toContain('</html>');
});

test('every example has a chart, and it is drawn from what runs', async () => {
  const { charts, draw } = (await import(/* @vite-ignore */ new URL('draw-charts.mjs', folder).href)) as {
    charts: Record<string, object>;
    draw(name: string, by: object): string;
  };
  for (const name of Object.keys(charts)) {
    const file = readFileSync(new URL(`${name}.svg`, folder), 'utf8');
    expect(draw(name, { render: renderGantt, run: runScenario }) === file, `${name}.svg is not what is drawn`).toBe(
      true,
    );
  }
  const named = readdirSync(folder).filter((file) =>
    /^(bank|car|machine|movie|gas|latency|m[mg]-|ft06|la01)/.test(file),
  );
  for (const file of named) expect(Object.keys(charts)).toContain(file.replace(/\.\w+$/, ''));
});
