// Draws every example again: `node examples/draw-charts.mjs`. The charts stand beside the examples.
import { readFileSync, writeFileSync } from 'node:fs';
import { loadScenario, renderGantt, runScenario } from '@horae/epoch-sim';
import * as gasStation from './gas-station.mjs';
import * as movieRenege from './movie-renege.mjs';

const fromFile = (file) => ({ scenario: loadScenario(readFileSync(new URL(file, import.meta.url), 'utf8')) });

/** What is drawn of each example, and how. */
export const charts = {
  'bank-renege': { ...fromFile('bank-renege.yaml'), options: {} },
  carwash: { ...fromFile('carwash.yaml'), options: { lanes: 'lock' } },
  'machine-shop': { ...fromFile('machine-shop.yaml'), options: { lanes: 'lock', from: 0, to: 480 } },
  'movie-renege': { ...movieRenege, options: { from: 0, to: 60, mostLines: 60 } },
  'gas-station': { ...gasStation, options: {} },
  latency: { ...fromFile('latency.yaml'), options: {} },
  'mm-c': { ...fromFile('mm-c.yaml'), options: { lanes: 'lock', from: 0, to: 20_000 } },
  'mg-1': { ...fromFile('mg-1.yaml'), options: { from: 0, to: 20_000, mostLines: 28 } },
  ft06: { ...fromFile('ft06.json'), options: { lanes: 'lock' } },
  la01: { ...fromFile('la01.json'), options: { lanes: 'lock' } },
  'storm-at-the-harbour': { ...fromFile('storm-at-the-harbour.yaml'), options: {} },
};

/** The chart of one example as SVG. */
export function draw(name, { render = renderGantt, run = runScenario } = {}) {
  const { scenario, hooks, options } = charts[name];
  const [result] = run(scenario, hooks);
  return render(result, { title: scenario.title, ...options });
}

if (process.argv[1] === new URL(import.meta.url).pathname) {
  for (const name of Object.keys(charts)) writeFileSync(new URL(`${name}.svg`, import.meta.url), draw(name));
}
