import { expect, test } from 'vitest';
import { type PublishedBench, publish, renderPage } from './page.js';
import { report } from './verdict.js';

const steady = (value: number) => Array.from({ length: 11 }, (_, i) => value * (1 + (i % 3) * 0.01));
const machine = { node: 'v20.19.0', cpu: 'Test', cores: 2, at: '2026-01-02T03:04:05.000Z' };
const run = (name: string, ours: number) =>
  report({ name, ours: 'us', about: 'One step', wanted: [{ atMost: 200 }] }, { us: steady(ours), them: steady(300) });

test('a published run replaces benches of the same name and keeps the others, by name', () => {
  const first = publish([], [run('cron/next', 100), run('sim/day', 100)], machine);
  const second = publish(first, [run('cron/next', 150)], { ...machine, node: 'v22.0.0' });
  expect(second.map(({ name, machine: { node } }) => [name, node])).toEqual([
    ['cron/next', 'v22.0.0'],
    ['sim/day', 'v20.19.0'],
  ]);
  expect(second[0]).not.toHaveProperty('rounds');
});

test('the page has a section per topic, a row per contender and the verdict of each wanted figure', () => {
  const page = renderPage(publish([], [run('cron/next', 100), run('sim/day', 1_000)], machine));
  expect(page).toMatch(/^# Benchmarks\n/);
  expect(page).toContain('## cron\n\n### cron/next\n\nOne step.\n\n| contender | median ns |');
  expect(page).toMatch(/\| them \| 303 \| .* \| 3x \| 3 to 3 \|/);
  expect(page).toContain('- wanted at most 200 ns (median 101): reached');
  expect(page).toContain('- wanted at most 200 ns (median 1,010): **missed**');
  expect(page).toContain('Node v20.19.0, 2 cores (Test), 2026-01-02.');
});

test('a page without figures is the introduction alone', () => {
  const none: PublishedBench[] = [];
  expect(renderPage(none)).not.toContain('##');
});
